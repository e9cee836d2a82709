import { beforeEach, expect, it } from 'vitest';
import english from '../../../src/rage/locale/en.json';
import { TableStore } from '../game/table.svelte.ts';
import type { TableView } from '../game/types.ts';
import { use } from '../say.ts';
import { Acting } from './acting.svelte.ts';

const table = (round: number, hand = 'W R5') =>
  ({
    games: 1,
    phase: 'playing',
    naming: 'W',
    settings: { edition: 'poof' },
    me: { seat: 0 },
    seats: [],
    game: { hand, players: ['Ann', 'Ben'], rounds: [{ number: round }] },
  }) as unknown as TableView;

let store: TableStore;
let acting: Acting;
beforeEach(() => {
  use('en', english);
  store = new TableStore('abcdefgh');
  store.table = table(1);
  acting = new Acting(store);
});

it('a card that was touched in one round is not chosen in the next', () => {
  acting.pick('R5');
  expect(acting.chosen).toBe('R5');
  store.table = table(2);
  expect(acting.chosen).toBeNull();
});

it('no colour is asked for a card of another round, or one that is gone', () => {
  const ask = () => [acting.pick('W'), acting.pick('W')];
  ask();
  expect(acting.asking).toEqual({ card: 'W', later: true });
  store.table = table(1, 'R5');
  expect(acting.asking).toBeNull();
  store.table = table(1);
  ask();
  store.table = table(2);
  expect(acting.asking).toBeNull();
});
