import { expect, it } from 'vitest';
import { betweenRounds } from './between.ts';
import type { TableView } from './types.ts';

const told = { ready: [0], unready: [1, 2], until: 65_000 };
const table = (more: object = {}, points: number[] | null = [1, 2, 3, 4]) =>
  ({
    between: told,
    game: { over: false, rounds: [{ number: 3, points }] },
    ...more,
  }) as unknown as TableView;

it('who is waited for, and until when, is what the server says', () => {
  expect(betweenRounds(table())).toEqual({ round: 3, ...told });
});

it('a round that does not wait is looked at all the same', () => {
  const found = betweenRounds(table({ between: null }));
  expect(found).toEqual({ round: 3, ready: [], unready: [], until: null });
});

it('nothing waits in a round, or after the last one', () => {
  expect(betweenRounds(table({}, null))).toBeNull();
  expect(betweenRounds(table({ game: { over: true, rounds: [{ points: [1] }] } }))).toBeNull();
  expect(betweenRounds(table({ game: null }))).toBeNull();
});
