// Folds events into what a person knows of a table. Pure, and without rules of the game: the facts
// say everything about it, and an update says what else has changed. If something cannot be folded,
// the result is null, and the whole table is requested. Unchanged parts keep their identity.

import { type FactOf, handle, type Handlers } from './facts.ts';
import { GAME_CHANGES } from './fold_game.ts';
import { withBid } from './sealed.ts';
import type { Fact, ProposalView, TableView, Update } from './types.ts';

/** The table after each new event of an update; the last one is the table after the update. Null if
 * something is missing or cannot be folded. */
export function steps(before: TableView, update: Update): TableView[] | null {
  const first = update.seq - update.events.length + 1;
  const known = before.seq + 1 - first;
  if (known < 0) return null;
  const turn_since = update.at ?? before.turn_since;
  const found: TableView[] = [];
  let table = before;
  for (const [i, fact] of update.events.entries()) {
    if (i < known) continue;
    const next = foldFact(table, fact);
    if (next === null) return null;
    found.push((table = { ...next, seq: first + i, turn_since }));
  }
  if (found.length) found[found.length - 1] = table = withChanges(table, update);
  // A person who now sees other cards needs the whole table.
  return table.game && viewpoint(table) !== viewpoint(before) ? null : found;
}

/** The table after an update, or null. */
export function fold(before: TableView, update: Update): TableView | null {
  const found = steps(before, update);
  return found === null ? null : (found.at(-1) ?? withBid(before, update.bid));
}

/** The seat whose cards I see. */
const viewpoint = ({ me }: TableView) => (me ? (me.seat ?? me.looking) : null);

/** The table after all events of an update, with what it says has changed. */
function withChanges(before: TableView, update: Update): TableView {
  const { changed = {}, may_undo = false } = update;
  const table = { ...before, ...changed, may_undo };
  const { phase, seats } = table;
  let { game } = table;
  if (game) game = { ...game, to_act: update.to_act ?? (update.turn ? game.seat : null) };
  if (game && changed.seats && (phase === 'playing' || phase === 'paused'))
    game = { ...game, players: seats.map(({ name }) => name) };
  return withBid({ ...table, game }, update.bid);
}

function configured(table: TableView, fact: FactOf<'configured'>): TableView | null {
  const { rules, players, options } = fact;
  if (rules !== table.rules || players !== table.seats.length) return null;
  return options.known !== table.options.known && table.game ? null : { ...table, options };
}

/** A proposal, with the details of its fact. */
function proposed(
  table: TableView,
  kind: ProposalView['kind'],
  ply: number,
  more: Partial<ProposalView>,
): TableView {
  const empty = { seat: null, count: 0, tricks: [], hand: '', given: null, person: null };
  return { ...table, proposal: { kind, ply, ...empty, agreed: [], asked: [], ...more } };
}

/** By kind of fact, changes that must be shown before the facts that came with it; null if it
 * cannot be told as a change. */
const CHANGES: Handlers<TableView | null> = {
  ...GAME_CHANGES,
  configured,
  muted: () => null, // muting changes which earlier lines I hear
  undo_proposed: (table, { ply, seat, count }) => proposed(table, 'undo', ply, { seat, count }),
  claimed: (table, { ply, seat, tricks, hand }) =>
    proposed(table, 'claim', ply, { seat, tricks, hand }),
  seat_proposed: (table, { ply, seat: given, person, by: seat = null }) =>
    proposed(table, 'seat', ply, { seat, given, person }),
  proposal_ended: (table) => ({ ...table, proposal: null }),
};

function foldFact(table: TableView, fact: Fact): TableView | null {
  return fact.type in CHANGES ? handle(CHANGES, table, fact) : table;
}
