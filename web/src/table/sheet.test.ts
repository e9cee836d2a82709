import { expect, test } from 'vitest';
import type { GameView, RoundView } from '../game/types.ts';
import { highlights, labelPlaces, sheet, sideOf, totals, turningPoint } from './sheet.ts';

const round = (number: number, points: number[] | null) => ({
  number,
  dealer: 0,
  hand_size: 3,
  bids: [1, 2, null, 0],
  trump_changes: [],
  tricks: [],
  won: points && [1, 1, 1, 0],
  points,
  met: points && points.flatMap((each, side) => (each > 5 ? [side] : [])),
});
const game = {
  players: ['A', 'B', 'C', 'D'],
  sides: [[0], [1], [2], [3]],
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
  const sides = [[0, 2], [1, 3]]; // prettier-ignore
  expect([0, 1, 2, 3, null].map((seat) => sideOf({ sides }, seat))).toEqual([0, 1, 0, 1, -1]);
  const teams = {
    ...game,
    sides,
    scores: [12, 6],
    rounds: [{ ...round(1, [12, 6]), bids: [1, 2, 1, 0] }],
  };
  const [line] = sheet(teams as unknown as GameView, [3]);
  expect(line!.cells[0]).toEqual({ bid: 2, won: 2, points: 12, total: 12, met: true });
});

test('totals begin at nothing', () => expect(totals(game)[0]).toEqual([0, 11]));

test('finds who met the most bids, and the best round', () => {
  const sides = [[0], [1]];
  const rounds = [
    { number: 1, points: [11, 0], met: [0] },
    { number: 2, points: [2, 15], met: [1] },
  ] as unknown as RoundView[];
  const nameIn = (side: number, number: number) => (side ? 'Ann' : number > 1 ? 'Cem' : 'Dia');
  expect(highlights({ rounds, sides }, nameIn)).toEqual({
    met: [
      { names: ['Dia'], n: 1, of: 1 },
      { names: ['Ann'], n: 1, of: 2 },
    ],
    round: { number: 2, side: 1, points: 15 },
  });
  const mine = (side: number, number: number) => side === 0 && number > 1;
  const only = highlights({ rounds, sides }, nameIn, mine);
  expect(only.round).toEqual({ number: 2, side: 0, points: 2 });
  expect(highlights({ rounds: [], sides }, nameIn)).toEqual({ met: [], round: null });
});

test('a game turned on the round since which its winner leads, or which cost most', () => {
  const finished = (winners: number[], ...points: number[][]) => ({
    rounds: points.map((each, i) => round(i + 1, each)) as unknown as RoundView[],
    scores: points[0]!.map((_, side) => points.reduce((sum, each) => sum + each[side]!, 0)),
    winners,
  });
  const turned = finished([0], [0, 12, 3], [11, 1, 2], [12, 5, 0]);
  expect([-1, 0, 1, 2].map((side) => turningPoint(turned, side))).toEqual([
    { round: 3, lost: 0 },
    { round: 3, lost: 0 },
    { round: 2, lost: 10 },
    { round: 3, lost: 12 },
  ]);
  expect(turningPoint(turned, 2, (_, number) => number < 3)).toEqual({ round: 2, lost: 9 });
  expect(turningPoint(finished([0], [5, 1], [5, 1]), 0)).toEqual({ round: 1, lost: 0 });
  // Bids met decided; all won; a single round.
  expect(turningPoint(finished([0], [5, 1], [1, 5]), 0)).toBeNull();
  expect(turningPoint(finished([0, 1], [5, 1], [1, 5]), 0)).toBeNull();
  expect(turningPoint(finished([0], [5, 1]), 1)).toBeNull();
});

test('the numbers of lines that end at the bottom stay in the picture, apart', () => {
  const found = labelPlaces([122, 20, 122, 120, 21], 11, 125);
  expect([...found.entries()].sort().map(([, y]) => y)).toEqual([114, 20, 125, 103, 31]);
  expect(labelPlaces([0, 60], 11, 125)).toEqual(new Map([[0, 8], [1, 60]])); // prettier-ignore
});
