// Changed copies of a table, in which everything unchanged keeps its identity.

import type { GameView, RoundView, TableView } from './types.ts';

/** A list with one place changed. */
export function put<T>(list: readonly T[], at: number, value: T): T[] {
  return list.map((each, i) => (i === at ? value : each));
}

/** A table with some fields changed, its own or its game's; null without a game. */
export function changeGame(
  table: TableView,
  changes: Partial<GameView>,
  more: Partial<TableView> = {},
): TableView | null {
  const { game } = table;
  return game && { ...table, ...more, game: { ...game, ...changes } };
}

/** A table with fields of its current round changed; null without one. */
export function changeRound(
  table: TableView,
  changes: Partial<RoundView>,
  more: Partial<GameView> = {},
): TableView | null {
  const rounds = table.game?.rounds ?? [];
  const round = rounds.at(-1);
  if (!round) return null;
  return changeGame(table, {
    ...more,
    rounds: put(rounds, rounds.length - 1, { ...round, ...changes }),
  });
}
