import { expect, test } from 'vitest';
import type { GameView } from '../game/types.ts';
import { ranks, sheet, sideSeats, totals } from './sheet.ts';

const round = (number: number, points: number[] | null) => ({
  number,
  dealer: 0,
  hand_size: 3,
  bids: [1, 2, null, 0],
  turns: [],
  tricks: [],
  won: points && [1, 1, 1, 0],
  points,
});
const game = {
  players: ['A', 'B', 'C', 'D'],
  scores: [11, 1, 1, 5],
  won: [0, 0, 2, 1],
  rounds: [round(1, [11, 1, 1, 5]), round(2, null)],
} as unknown as GameView;

test('a sheet has a line a round, with running totals', () => {
  const lines = sheet(game, [3, 2, 1]);
  expect(lines.map(({ cells }) => cells.length)).toEqual([4, 4, 0]);
  expect(lines[0]!.cells[0]).toEqual({ bid: 1, won: 1, points: 11, total: 11, met: true });
  expect(lines[0]!.cells[1]!.met).toBe(false);
  expect(lines[1]!.cells[2]).toEqual({ bid: null, won: 2, points: null, total: null, met: null });
});

test('teams are summed', () => {
  expect(sideSeats(4, 2)).toEqual([[0, 2], [1, 3]]); // prettier-ignore
  const teams = {
    ...game,
    scores: [12, 6],
    rounds: [{ ...round(1, [12, 6]), bids: [1, 2, 1, 0] }],
  };
  const [line] = sheet(teams as unknown as GameView, [3]);
  expect(line!.cells[0]).toEqual({ bid: 2, won: 2, points: 12, total: 12, met: true });
});

test('totals begin at nothing', () => expect(totals(game)[0]).toEqual([0, 11]));

test('places: equals share, and a winner of a tie is first', () => {
  expect(ranks([5, 9, 5, 1], null)).toEqual([2, 1, 2, 4]);
  expect(ranks([9, 9, 1], [0])).toEqual([1, 2, 3]);
  expect(ranks([9, 9, 1], [0, 1])).toEqual([1, 1, 3]);
});
