import { expect, it } from 'vitest';
import type { MeView, TableView } from '../game/types.ts';
import { pendingConsents, isMine, shiftShare, tricksLeft } from './together.ts';

const table = (about: object) => about as TableView;

it('a claim is for the tricks that are left', () => {
  const game = { won: [1, 0, 0, 1], rounds: [{ hand_size: 5 }] };
  expect(tricksLeft(table({ game }))).toBe(3);
});

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
  const proposal = { asked: [0, 2], agreed: [2] };
  expect(pendingConsents(table({ proposal }))).toEqual([0]);
});

it.each([
  [2, { person: 'c', seat: 2 }, true],
  [2, { person: 'host', seat: null }, false],
  [null, { person: 'host', seat: null }, true],
  [null, { person: 'w', seat: null }, false],
])('a proposal is mine from my seat, or as a host without one: %j, %j', (seat, me, mine) => {
  const proposal = { seat } as NonNullable<TableView['proposal']>;
  expect(isMine(proposal, table({ host: 'host' }), me as MeView)).toBe(mine);
});
