import { beforeAll, expect, it } from 'vitest';
import english from '../../../src/rage/locale/en.json';
import type { Fact, SeatView, TableView } from './types.ts';
import { sentence, use } from '../say.ts';
import { tellPeople } from './people.ts';

const seat = (name: string, person: string | null, bot: string | null = null): SeatView => ({
  name, person, bot, here: true, word_commitment: null, word: '', shows: false, sign: '',
}); // prettier-ignore

const table = {
  phase: 'playing',
  seats: [seat('Ann', 'a'), seat('Ben', 'b'), seat('steady 3', null, 'steady')],
  spectators: [{ person: 'c', name: 'Cy', here: true, looking: null }],
  proposal: null,
  options: { takeover: 'vote' },
};
const seated = { seats: [table.seats[0], seat('Cy', 'c'), table.seats[2]], spectators: [] };
const accepted: Fact = { type: 'proposal_ended', why: 'accepted' };
const begun: Fact = { type: 'started', names: [], words: ['', '', 'x'], withheld: [] };

beforeAll(() => use('en', english));

it.each<[Fact, string, after?: object, before?: object]>([
  [{ type: 'joined', person: 'd', name: 'Dee' }, 'Dee is watching.'],
  [{ type: 'left', person: 'b' }, 'Ben has left the table.'],
  [{ type: 'left', person: 'b', removed: true }, 'Ben has been removed from the table.'],
  [{ type: 'left', person: 'b', removed: true, barred: true },
    'Ben has been barred from the table.'],
  [{ type: 'renamed', person: 'b', name: 'Benny' }, 'Ben is now called Benny.'],
  [{ type: 'renamed', person: 'b', name: 'Ben', sign: '35' }, ''],
  [{ type: 'host_passed', person: 'b' }, 'Ben is the host now.'],
  [{ type: 'host_passed' }, 'The table has no host now.'],
  [{ type: 'presence_set', person: 'b', present: false }, 'Ben is away.'],
  [{ type: 'presence_set', person: 'b', present: true }, 'Ben is back.'],
  [{ type: 'presence_set', person: 'b', present: true }, '', { me: { person: 'b' } }],
  [{ type: 'hand_shown', seat: 1, allowed: true }, 'Ben lets spectators see their hand.'],
  [{ type: 'viewpoint_changed', person: 'c', seat: 1 }, "Cy looks at Ben's hand."],
  [{ type: 'viewpoint_changed', person: 'c' }, 'Cy no longer looks at any hand.'],
  [{ type: 'muted', person: 'a', other: 'c', muted: true }, 'You no longer hear Cy.'],
  [{ type: 'seed_committed', game: 1, hash: '0123456789abcdef' },
    'The cards are fixed: fingerprint of the seed 01234567 …'],
  [{ type: 'paused', person: 'a' }, 'Ann has paused the game.'],
  [{ type: 'paused' }, 'The game waits until someone comes back.'],
  [{ type: 'takeover_vote_opened', seat: 1, ply: 8 }, 'Ben is taking a while. Let a bot play for them?'],
  // Nobody is asked where there is nothing to decide.
  [{ type: 'takeover_vote_opened', seat: 1, ply: 8 }, 'Ben is taking a while.',
    { options: { takeover: 'at_once' } }],
  // The clock tells nothing to the person it is about.
  [{ type: 'takeover_vote_opened', seat: 1, ply: 8 }, '', { me: { seat: 1 } }],
  [{ type: 'nudged', seat: 1, ply: 8 }, '', { me: { seat: 1 } }],
  [{ type: 'nudged', seat: 0, ply: 8 }, 'Ann, it is your turn.', { me: { seat: 1 } }],
  [{ type: 'voted', seat: 1, person: 'a', yes: false }, 'Ann would rather wait for Ben.'],
  [{ type: 'stepped_in', seat: 1, bot: 'steady' }, 'A bot plays for Ben.'],
  [{ type: 'stepped_in', seat: 0, bot: 'steady' }, 'A bot plays for Ann.'],
  [{ type: 'took_back', seat: 1 }, 'Ben plays again.'],
  [{ type: 'seat_proposed', seat: 1, person: 'c', ply: 8, by: 1 },
    'Ben would like to give Cy their seat.'],
  [{ type: 'seat_proposed', seat: 2, person: 'c', ply: 8 },
    'The host would like to give Cy the seat of steady 3.'],
  [{ type: 'proposal_ended', why: 'decided' }, 'Nothing is taken back: the game has moved on.'],
  [{ type: 'proposal_ended', why: 'seats' },
    'The proposal is off: someone else plays a seat now.'],
  [{ type: 'proposal_ended', why: 'no_order' },
    'The cards cannot fall like that. Play continues.'],
  [accepted, 'Everyone agrees: the rest is played out.', {}, { proposal: { kind: 'claim' } }],
  [accepted, 'Everyone agrees to take it back.', {}, { proposal: { kind: 'undo' } }],
  [accepted, 'Everyone agrees: the seat changes hands.', {}, { proposal: { kind: 'seat' } }],
  [{ type: 'sat', person: 'c', seat: 1 }, 'Cy takes the seat of Ben.', seated],
  [{ type: 'sat', person: 'c', seat: 1 }, 'Cy sits down.', seated, { phase: 'gathering' }],
  [begun, 'The game begins.'],
  [{ ...begun, withheld: [0] }, 'The game begins without the word that Ann had added to the ' +
    'shuffle: it was not revealed.'],
  [{ ...begun, withheld: [0, 1] }, 'The game begins without the words that Ann and Ben had added ' +
    'to the shuffle: they were not revealed.'],
  // The game is left to others.
  [{ type: 'played', ply: 1, seat: 0, move: 'R1' }, ''],
  [{ type: 'hidden' }, ''],
])('people are told of %o: %s', (fact, expected, changes, changed) => {
  const at = (more?: object) => ({ ...table, ...more }) as unknown as TableView;
  const told = tellPeople(fact, at(changed), at(changes));
  const names = at(changes).seats.map(({ name }) => name);
  expect(told === null ? '' : sentence(told.reason, { names })).toBe(expected);
}); // prettier-ignore
