// Parts of a table that are changed: a new table, in which all else keeps its identity.

import type { Folded } from './fold.ts';
import type { GameView, SeatView, TableView } from './types.ts';

/** A list with one place changed. */
export function put<T>(list: readonly T[], at: number, value: T): T[] {
  return list.map((each, i) => (i === at ? value : each));
}

/** A table with some of its fields changed. */
export function change(state: Folded, changes: Partial<TableView>): Folded {
  return { ...state, table: { ...state.table, ...changes } };
}

/** The same of its game, where there is one. */
export function changeGame(
  state: Folded,
  changes: Partial<GameView>,
  more: Partial<TableView> = {},
): Folded | null {
  const { game } = state.table;
  return game && change(state, { ...more, game: { ...game, ...changes } });
}

/** Seats of which some are changed. */
export function seatsWith(
  table: TableView,
  changed: (seat: SeatView, at: number) => Partial<SeatView> | null,
): SeatView[] {
  return table.seats.map((seat, at) => {
    const changes = changed(seat, at);
    return changes ? { ...seat, ...changes } : seat;
  });
}
