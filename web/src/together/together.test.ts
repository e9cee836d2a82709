import { expect, it } from 'vitest';
import type { MeView, SaidView, SeatView, TableView } from '../game/types.ts';
import { pendingConsents, linesHeard, isMine, shiftShare, tricksLeft } from './together.ts';

const seat = (person: string | null, more: Partial<SeatView> = {}): SeatView => ({
  name: person ?? 'bot', person, bot: person ? null : 'steady', here: true, word_commitment: null,
  word: '', shows: false, sign: '', ...more,
}); // prettier-ignore

const table = (more: object = {}): TableView =>
  ({
    phase: 'playing',
    options: { takeover: 'vote', undo: true },
    seats: [seat('a'), seat('b', { here: false }), seat('c'), seat(null)],
    spectators: [],
    proposal: null,
    game: { to_act: 1, bidding: false, won: [1, 0, 0, 1], rounds: [{ hand_size: 5 }] },
    ...more,
  }) as unknown as TableView;

const me = (person: string, at: number | null): MeView => ({
  person, name: person, seat: at, looking: null, muted: [], silenced: false, host_free_at: null,
  may_look: [], may_ask: [], may_give: [], why_not_give: [], may_seat_bot: [],
}); // prettier-ignore

it('a claim is for the tricks that are left', () => expect(tricksLeft(table())).toBe(3));

it.each<[string, number[], number, 1 | -1, number[]]>([
  ['one more is mine where all are given', [3, 0, 0], 1, 1, [2, 1, 0]],
  ['one more is free where some are', [2, 0, 0], 1, 1, [2, 1, 0]],
  ['one fewer is mine', [2, 1, 0], 1, -1, [3, 0, 0]],
  ['one fewer of mine is free', [3, 0, 0], 0, -1, [2, 0, 0]],
  ['one fewer of too many is gone', [3, 1, 0], 1, -1, [3, 0, 0]],
  ['nobody has fewer than none', [3, 0, 0], 1, -1, [3, 0, 0]],
  ['nobody has more than all', [0, 3, 0], 1, 1, [0, 3, 0]],
  ['I can give nothing that I do not have', [0, 3, 0], 2, 1, [0, 3, 1]],
])('in a claim, %s', (_, shares, seat, by, after) => {
  expect(shiftShare(shares, 3, 0, seat, by)).toEqual(after);
});

it('a proposal waits for whom it asks and who has not agreed', () => {
  const proposal = { asked: [0, 2], agreed: [2] } as unknown as TableView['proposal'];
  expect(pendingConsents(table({ proposal }))).toEqual([0]);
});

it('a proposal is mine from my seat, or as a host without one', () => {
  const proposal = (seat: number | null) =>
    ({ seat }) as unknown as NonNullable<TableView['proposal']>;
  const hosted = table({ host: 's' });
  expect(isMine(proposal(2), hosted, me('c', 2))).toBe(true);
  expect(isMine(proposal(2), hosted, me('s', null))).toBe(false);
  expect(isMine(proposal(null), hosted, me('s', null))).toBe(true);
  expect(isMine(proposal(null), hosted, me('w', null))).toBe(false);
});

it('the lines of muted people are not heard', () => {
  const line = (number: number, person: string): SaidView => ({
    number, person, name: person, at: 0, text: 'x', preset: null,
  }); // prettier-ignore
  const lines = [line(1, 'b'), line(2, 'c'), line(3, 'a'), line(4, 'b')];
  const mine = { ...me('a', 0), muted: ['c'] };
  expect(linesHeard(lines, mine).map(({ number }) => number)).toEqual([1, 3, 4]);
});
