import { beforeAll, describe, expect, it } from 'vitest';
import english from '../../../src/rage/locale/en.json';
import type { Fact, SeatView, TableView } from './types.ts';
import { sentence, use } from '../say.ts';
import { tellPeople } from './people.ts';

const seat = (name: string, person: string | null, bot: string | null = null): SeatView => ({
  name, person, bot, here: true, word_commitment: null, word: '', shows: false, sign: '',
}); // prettier-ignore

const before = {
  phase: 'playing',
  seats: [seat('Ann', 'a'), seat('Ben', 'b'), seat('steady 3', null, 'steady')],
  spectators: [{ person: 'c', name: 'Cy', here: true, looking: null }],
  proposal: null,
  options: { takeover: 'vote' },
} as unknown as TableView;

beforeAll(() => use('en', english));

function said(fact: Fact, from = before, to = before): string {
  const told = tellPeople(fact, from, to);
  const names = to.seats.map(({ name }) => name);
  return told === null ? '' : sentence(told.reason, { names });
}

describe('what happens among people', () => {
  it('nobody is asked about a bot where there is nothing to decide', () => {
    const after = { ...before, options: { takeover: 'at_once' } } as TableView;
    expect(said({ type: 'takeover_vote_opened', seat: 1, ply: 8 }, before, after)).toBe(
      'Ben is taking a while.',
    );
  });

  it('the clock tells nothing to the person it is about', () => {
    const mine = { ...before, me: { seat: 1 } } as TableView;
    for (const type of ['nudged', 'takeover_vote_opened'] as const) {
      expect(said({ type, seat: 1, ply: 8 }, mine, mine)).toBe('');
      expect(said({ type, seat: 0, ply: 8 }, mine, mine)).not.toBe('');
    }
  });

  it.each<[Fact, string]>([
    [{ type: 'joined', person: 'd', name: 'Dee' }, 'Dee is watching.'],
    [{ type: 'left', person: 'b' }, 'Ben has left the table.'],
    [{ type: 'left', person: 'b', removed: true }, 'Ben has been removed from the table.'],
    [
      { type: 'left', person: 'b', removed: true, barred: true },
      'Ben has been barred from the table.',
    ],
    [{ type: 'renamed', person: 'b', name: 'Benny' }, 'Ben is now called Benny.'],
    [{ type: 'renamed', person: 'b', name: 'Ben', sign: '35' }, ''],
    [{ type: 'host_passed', person: 'b' }, 'Ben is the host now.'],
    [{ type: 'host_passed' }, 'The table has no host now.'],
    [{ type: 'presence_set', person: 'b', present: false }, 'Ben is away.'],
    [{ type: 'presence_set', person: 'b', present: true }, 'Ben is back.'],
    [{ type: 'hand_shown', seat: 1, allowed: true }, 'Ben lets spectators see their hand.'],
    [{ type: 'viewpoint_changed', person: 'c', seat: 1 }, "Cy looks at Ben's hand."],
    [{ type: 'viewpoint_changed', person: 'c' }, 'Cy no longer looks at any hand.'],
    [{ type: 'muted', person: 'a', other: 'c', muted: true }, 'You no longer hear Cy.'],
    [{ type: 'seed_committed', game: 1, hash: '0123456789abcdef' },
      'The cards are fixed: fingerprint of the seed 01234567 …'],
    [{ type: 'paused', person: 'a' }, 'Ann has paused the game.'],
    [{ type: 'paused' }, 'The game waits until someone comes back.'],
    [{ type: 'takeover_vote_opened', seat: 1, ply: 8 }, 'Ben is taking a while. Let a bot play for them?'],
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
  ])('%o', (fact, expected) => {
    expect(said(fact)).toBe(expected);
  }); // prettier-ignore

  it('tells nobody that they are back themselves', () => {
    const mine = { ...before, me: { person: 'b' } } as unknown as TableView;
    expect(said({ type: 'presence_set', person: 'b', present: true }, before, mine)).toBe('');
    expect(said({ type: 'presence_set', person: 'a', present: true }, before, mine)).toBe(
      'Ann is back.',
    );
  });

  it('says whose seat is taken while a game is played', () => {
    const seats = [...before.seats.slice(0, 1), seat('Cy', 'c'), ...before.seats.slice(2)];
    const after = { ...before, seats, spectators: [] };
    expect(said({ type: 'sat', person: 'c', seat: 1 }, before, after)).toBe(
      'Cy takes the seat of Ben.',
    );
    const gathering = { ...before, phase: 'gathering' as const };
    expect(said({ type: 'sat', person: 'c', seat: 1 }, gathering, after)).toBe('Cy sits down.');
  });

  it('names all whose words were not revealed', () => {
    const begun: Fact = { type: 'started', names: [], words: ['', '', 'x'], withheld: [0, 1] };
    expect(said(begun)).toBe(
      'The game begins without the words that Ann and Ben had added to the shuffle: they were not ' +
        'revealed.',
    );
    expect(said({ ...begun, withheld: [0] })).toBe(
      'The game begins without the word that Ann had added to the shuffle: it was not revealed.',
    );
    expect(said({ ...begun, withheld: [] })).toBe('The game begins.');
  });

  it('ends each kind of proposal in its own words', () => {
    const with_ = (kind: string) => ({ ...before, proposal: { kind } }) as unknown as TableView;
    const accepted: Fact = { type: 'proposal_ended', why: 'accepted' };
    expect(said(accepted, with_('claim'))).toBe('Everyone agrees: the rest is played out.');
    expect(said(accepted, with_('undo'))).toBe('Everyone agrees to take it back.');
    expect(said(accepted, with_('seat'))).toBe('Everyone agrees: the seat changes hands.');
  });

  it('leaves the game to others', () => {
    expect(tellPeople({ type: 'played', ply: 1, seat: 0, move: 'R1' }, before, before)).toBeNull();
    expect(tellPeople({ type: 'hidden' }, before, before)).toBeNull();
  });
});
