// Folds events into what a person knows of a table. Pure, and without rules of the game: the facts
// say everything. If something cannot be folded, the result is null, and the whole table is
// requested. Unchanged parts keep their identity.

import { foldConsent } from './fold_consent.ts';
import { foldGame } from './fold_game.ts';
import { foldGuests } from './fold_guests.ts';
import { withBid } from './sealed.ts';
import type { Fact, TableView, Update } from './types.ts';

/** The table after each new event of an update; the last one is the table after the update. Null if
 * something is missing or cannot be folded. */
export function steps(before: TableView, update: Update): TableView[] | null {
  const first = update.seq - update.events.length + 1;
  const known = before.seq + 1 - first;
  if (known < 0) return null;
  const turn_since = update.turn_since ?? update.at ?? before.turn_since;
  const found: TableView[] = [];
  let table = before;
  for (const [i, fact] of update.events.entries()) {
    if (i < known) continue;
    const next = foldFact(table, fact);
    if (next === null) return null;
    found.push((table = { ...next, seq: first + i, turn_since }));
  }
  if (found.length) found[found.length - 1] = table = asTold(table, update);
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

const DECIDES = new Set(['played', 'bid_sealed', 'dealt', 'game_over']);

/** Apply what an update says about the table after all its events. */
function asTold(table: TableView, update: Update): TableView {
  const { proposal = null, takeover = null, between = null } = update;
  const { may_undo = false, owner = table.owner } = update;
  const holders = update.holders ?? table.holders;
  let { game } = table;
  if (game && update.events.some((fact) => DECIDES.has(fact.type)))
    game = { ...game, to_act: update.to_act ?? (update.turn ? game.seat : null) };
  let me = update.me ?? table.me;
  if (me && me.may_undo !== may_undo) me = { ...me, may_undo };
  return withBid({ ...table, owner, holders, game, me, proposal, takeover, between }, update.bid);
}

function foldFact(table: TableView, fact: Fact): TableView | null {
  if (fact.type === 'hidden') return table;
  return foldGame(table, fact) ?? foldConsent(table, fact) ?? foldGuests(table, fact);
}
