// The facts about what people agree on while a game is played, folded into a table: whether it
// pauses, whether a bot plays for somebody, what is proposed. Who has to agree, and who has, comes
// with the last fact (fold.ts).

import { seatsWith } from './copies.ts';
import type { Fact, ProposalView, TableView } from './types.ts';

type Change = (table: TableView, fact: any, at: number) => TableView;

function botChanged(table: TableView, seat: number, bot: string | null, at: number): TableView {
  const seats = seatsWith(table, (_, i) => (i === seat ? { bot } : null));
  const due = bot === null && table.phase === 'playing' && table.game?.to_act === seat;
  return { ...table, seats, turn_since: due ? at : table.turn_since };
}

/** What is proposed, as far as the fact says it. */
const proposed =
  (kind: ProposalView['kind']): Change =>
  (table, { seat, ply, count = 0, tricks = [], hand = '', by = null, person = null }) => {
    const [from, given] = kind === 'seat' ? [by, seat] : [seat, null];
    const usual = { agreed: [], asked: [] };
    const proposal = { kind, seat: from, ply, count, tricks, hand, given, person, ...usual };
    return { ...table, proposal };
  };

const same: Change = (table) => table;

const CHANGES: Readonly<Record<string, Change>> = {
  paused: (table) => ({ ...table, phase: 'paused' }),
  resumed: (table, _, at) => ({ ...table, phase: 'playing', turn_since: at }),
  nudged: same,
  asked: same,
  voted: same,
  stepped_in: (table, fact, at) => botChanged(table, fact.seat, fact.bot, at),
  took_back: (table, fact, at) => botChanged(table, fact.seat, null, at),
  undo_proposed: proposed('undo'),
  claimed: proposed('claim'),
  seat_proposed: proposed('seat'),
  answered: same,
  proposal_ended: (table) => ({ ...table, proposal: null }),
};

/** A fact about what people agree on; null for any other. */
export function foldConsent(table: TableView, fact: Fact, at: number): TableView | null {
  return CHANGES[fact.type]?.(table, fact, at) ?? null;
}
