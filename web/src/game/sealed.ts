// Where bids are hidden or secret, all bid at the same time, and each bid may be changed until the last
// is in.

import { changeRound, put } from './copies.ts';
import type { TableView } from './types.ts';

/** How many have bid so far, of how many, where all bid at the same time; null where they do not, or
 * no longer. */
export function sealedBids({ game, settings }: TableView): { n: number; of: number } | null {
  if (!game?.bidding || settings.bidding === 'open') return null;
  return { n: game.has_bid.filter(Boolean).length, of: game.has_bid.length };
}

/** The bid, which may still be changed, of the seat whose cards I see. */
export function sealedBid(table: TableView): number | null {
  const { game } = table;
  if (!game || game.seat === null || !sealedBids(table)) return null;
  return game.rounds.at(-1)?.bids[game.seat] ?? null;
}

/** A table with that bid, as an update says it. */
export function withBid(table: TableView, bid: number | null = null): TableView {
  const { game } = table;
  if (bid === null || !game || game.seat === null) return table;
  return changeRound(table, { bids: put(game.rounds.at(-1)!.bids, game.seat, bid) }) ?? table;
}
