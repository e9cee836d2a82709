import { expect, it } from 'vitest';
import { placeOf, ranks, tally } from './places';

it('has no place for those who watched', () => {
  const games = [null, 0, 1].map((side) => ({ side, scores: [1, 2], winners: [1] }));
  expect(games.map(placeOf)).toEqual([null, 2, 1]);
  expect(tally(games)).toEqual({ played: 2, won: 1 });
});

it('shares places among equals while nobody has won', () => {
  expect(ranks([5, 9, 5, 1], null)).toEqual([2, 1, 2, 4]);
});
