// What has happened, folded into what a person knows of a table. Pure, and without a rule of the
// game: the facts say everything. Whatever cannot be folded gives null, and the whole table is
// asked for. Unchanged parts keep their identity.

import { foldConsent } from './fold_consent.ts';
import { foldGame } from './fold_game.ts';
import { foldGuests } from './fold_guests.ts';
import type { Fact, TableView, Update, Whole } from './types.ts';

/** A table and what its view does not say: whether the decision last made could be taken back, if
 * the table were playing (null: not known). */
export interface Folded {
  readonly table: TableView;
  readonly undoable: boolean | null;
}

/** What may be folded onto from a whole table. */
export function fromWhole(message: Whole): Folded {
  const { table } = message;
  const undoable = table.me?.may_undo || (mightUndo(table) ? false : null);
  return { table, undoable };
}

function mightUndo({ me, options, phase, seats }: TableView): boolean {
  const seat = me?.seat ?? null;
  return seat !== null && options.undo && phase === 'playing' && seats[seat]?.bot == null;
}

/** Every state on the way through an update, one an event that is new here; the last one is the
 * state after it. Null where something is missing or cannot be folded. */
export function steps(before: Folded, update: Update): Folded[] | null {
  const first = update.seq - update.events.length + 1;
  const known = before.table.seq + 1 - first;
  if (known < 0) return null;
  const found: Folded[] = [];
  let state = before;
  for (const [i, fact] of update.events.entries()) {
    if (i < known) continue;
    const next = foldFact(state, fact, first + i, update.at ?? state.table.turn_since);
    if (next === null) return null;
    found.push((state = next));
  }
  if (found.length) found[found.length - 1] = withTurn(state, update);
  return found;
}

/** The state after an update, or null. */
export function fold(before: Folded, update: Update): Folded | null {
  const found = steps(before, update);
  return found === null ? null : (found.at(-1) ?? before);
}

const DECIDES = new Set(['played', 'dealt', 'game_over', 'undone']);

function withTurn(state: Folded, update: Update): Folded {
  const { game } = state.table;
  if (!game || !update.events.some((fact) => DECIDES.has(fact.type))) return state;
  const table = { ...state.table, game: { ...game, to_act: update.to_act ?? null } };
  return { ...state, table };
}

function foldFact(state: Folded, fact: Fact, seq: number, at: number): Folded | null {
  const changed =
    fact.type === 'hidden'
      ? state
      : (foldGame(state, fact, at) ?? foldConsent(state, fact, at) ?? foldGuests(state, fact, at));
  if (changed === null) return null;
  const undoable = changed.undoable;
  let table: TableView = { ...changed.table, seq };
  if (table.me) {
    const may = mightUndo(table);
    if (may && undoable === null) return null;
    const may_undo = may && undoable === true;
    if (may_undo !== table.me.may_undo) table = { ...table, me: { ...table.me, may_undo } };
  }
  return { table, undoable };
}
