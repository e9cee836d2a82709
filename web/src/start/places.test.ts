import { expect, it } from 'vitest';
import { placeOf, sideOf, tally } from './places';

const game = (seat: number | null, scores: number[], winners: number[]) => ({
  seat,
  scores,
  winners,
});

it('gives each player a place by their points', () => {
  const scores = [40, 75, -5, 75];
  expect([0, 1, 2, 3].map((seat) => placeOf(game(seat, scores, [1, 3])))).toEqual([3, 1, 4, 1]);
});

it('lets the winner be first where more bids met break a tie', () => {
  expect(placeOf(game(0, [50, 50, 20], [1]))).toBe(2);
  expect(placeOf(game(1, [50, 50, 20], [1]))).toBe(1);
  expect(placeOf(game(2, [50, 50, 20], [1]))).toBe(3);
});

it('counts teams: seats take turns among the sides', () => {
  expect(sideOf({ seat: 3, scores: [10, 30] })).toBe(1);
  expect(placeOf(game(2, [10, 30], [1]))).toBe(2);
});

it('has no place for those who watched', () => {
  expect(placeOf(game(null, [1, 2], [1]))).toBeNull();
  expect(tally([game(null, [1, 2], [1]), game(1, [1, 2], [1]), game(0, [1, 2], [1])])).toEqual({
    played: 2,
    won: 1,
  });
});
