// Hidden or secret bids: all players bid at once, and may change their bids until the last is in.

import { changeRound, put } from './copies.ts';
import type { TableView } from './types.ts';

/** How many players have bid, and of how many, while all bid at once; null otherwise. */
export function sealedBids({ game, settings }: TableView): { n: number; of: number } | null {
  if (!game?.bidding || settings.bidding === 'open') return null;
  return { n: game.has_bid.filter(Boolean).length, of: game.has_bid.length };
}

/** The still changeable bid of the seat whose cards I see. */
export function sealedBid(table: TableView): number | null {
  const { game } = table;
  if (!game || game.seat === null || !sealedBids(table)) return null;
  return game.rounds.at(-1)?.bids[game.seat] ?? null;
}

/** A table with a still changeable bid, as told by an update. */
export function withBid(table: TableView, bid: number | null = null): TableView {
  const { game } = table;
  if (bid === null || !game || game.seat === null) return table;
  return changeRound(table, { bids: put(game.rounds.at(-1)!.bids, game.seat, bid) }) ?? table;
}
