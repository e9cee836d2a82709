import { expect, it } from 'vitest';
import { placeOf, ranks, tally } from './places';

const game = (side: number | null, scores: number[], winners: number[]) => ({
  side,
  scores,
  winners,
});

it('gives each player a place by their points', () => {
  const scores = [40, 75, -5, 75];
  expect([0, 1, 2, 3].map((side) => placeOf(game(side, scores, [1, 3])))).toEqual([3, 1, 4, 1]);
});

it('lets the winner be first where more bids met break a tie', () => {
  expect(placeOf(game(0, [50, 50, 20], [1]))).toBe(2);
  expect(placeOf(game(1, [50, 50, 20], [1]))).toBe(1);
  expect(placeOf(game(2, [50, 50, 20], [1]))).toBe(3);
});

it('has no place for those who watched', () => {
  expect(placeOf(game(null, [1, 2], [1]))).toBeNull();
  expect(tally([game(null, [1, 2], [1]), game(1, [1, 2], [1]), game(0, [1, 2], [1])])).toEqual({
    played: 2,
    won: 1,
  });
});

it('shares places among equals, and lets the winner of a tie be first', () => {
  expect(ranks([5, 9, 5, 1], null)).toEqual([2, 1, 2, 4]);
  expect(ranks([9, 9, 1], [0])).toEqual([1, 2, 3]);
  expect(ranks([9, 9, 1], [0, 1])).toEqual([1, 1, 3]);
});
