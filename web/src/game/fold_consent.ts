// Folds facts about pauses, bots that stand in, and proposals. Who has to agree, who has, and since
// when the turn lasts comes with the last fact (fold.ts).

import { seatsWith } from './copies.ts';
import { handle, type Handlers } from './facts.ts';
import type { Fact, ProposalView, TableView } from './types.ts';

function botChanged(table: TableView, seat: number, bot: string | null): TableView {
  return { ...table, seats: seatsWith(table, (_, i) => (i === seat ? { bot } : null)) };
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

const same = (table: TableView): TableView => table;

const CHANGES: Handlers<TableView> = {
  paused: (table) => ({ ...table, phase: 'paused' }),
  resumed: (table) => ({ ...table, phase: 'playing' }),
  nudged: same,
  takeover_vote_opened: same,
  voted: same,
  stepped_in: (table, fact) => botChanged(table, fact.seat, fact.bot),
  took_back: (table, fact) => botChanged(table, fact.seat, null),
  undo_proposed: (table, { ply, seat, count }) => proposed(table, 'undo', ply, { seat, count }),
  claimed: (table, { ply, seat, tricks, hand }) =>
    proposed(table, 'claim', ply, { seat, tricks, hand }),
  seat_proposed: (table, { ply, seat: given, person, by: seat = null }) =>
    proposed(table, 'seat', ply, { seat, given, person }),
  answered: same,
  proposal_ended: (table) => ({ ...table, proposal: null }),
};

/** Fold a fact about pauses, stand-ins or proposals; null for any other. */
export function foldConsent(table: TableView, fact: Fact): TableView | null {
  return handle(CHANGES, table, fact);
}
