// How each player stands, for whoever draws it.

import { split } from '../game/cards';
import type { ClockOption, TableView } from '../game/types';

export interface Standing {
  readonly seat: number;
  readonly name: string;
  readonly bid: number | null;
  readonly won: number;
  /** Whether a bid was made that is not shown yet. */
  readonly hidden: boolean;
  readonly acts: boolean;
  readonly leads: boolean;
  readonly deals: boolean;
  readonly bot: boolean;
  readonly away: boolean;
  readonly score: number;
}

/** A friendly clock that runs. */
export interface Ticking {
  readonly clock: ClockOption;
  readonly since: number;
  readonly ahead: number;
}

/** Whether a seat has made its bid of the round under way. */
export function hasBid(table: TableView, seat: number): boolean {
  const { game } = table;
  const round = game?.rounds.at(-1);
  if (!game || !round) return false;
  if (round.bids[seat] != null || !game.bidding) return true;
  if (game.to_act === null) return false;
  const players = round.bids.length;
  const turn = (at: number) => (at - round.dealer - 1 + 2 * players) % players;
  return turn(seat) < turn(game.to_act);
}

/** Every player, by seat. `mine` is a bid of mine that is not stored yet. */
export function standings(table: TableView, mine: number | null = null): Standing[] {
  const { game, settings } = table;
  const round = game?.rounds.at(-1);
  const trick = round?.tricks.at(-1);
  return table.seats.map((each, seat) => {
    const pending = seat === game?.seat ? mine : null;
    const bid = round?.bids[seat] ?? pending;
    return {
      seat,
      name: game?.players[seat] ?? each.name,
      bid,
      won: game?.won[seat] ?? 0,
      hidden: settings.bidding !== 'open' && bid === null && hasBid(table, seat),
      acts: pending === null && table.phase === 'playing' && game?.to_act === seat,
      leads: trick != null && trick.winner === null && trick.leader === seat,
      deals: round?.dealer === seat,
      bot: each.bot !== null,
      away: !each.here,
      score: game?.scores[seat % (game.scores.length || 1)] ?? 0,
    };
  });
}

/** All bids that can be seen, and whether some cannot. */
export function totalBid(table: TableView, mine: number | null = null) {
  const list = standings(table, mine);
  return {
    sum: list.reduce((all, { bid }) => all + (bid ?? 0), 0),
    hidden: list.some(({ hidden }) => hidden),
    all: list.every(({ seat, bid }) => bid !== null || hasBid(table, seat)),
  };
}

export interface Lying {
  readonly key: string;
  readonly seat: number;
  readonly move: string;
  readonly mine: boolean;
  readonly pending: boolean;
}

/** The cards in the middle: of the trick under way, or of the one just won (`winner`). */
export function lying(
  table: TableView,
  pending: string | null,
  gone: boolean,
): { cards: Lying[]; winner: number | null } {
  const { game } = table;
  const round = game?.rounds.at(-1);
  if (!game || !round) return { cards: [], winner: null };
  const players = round.bids.length;
  const last = round.tricks.at(-1);
  const full = last?.winner != null;
  const card = pending !== null && !/^\d/.test(pending) ? pending : null;
  const trick = last && !(full && (gone || card)) ? last : null;
  const index = trick ? round.tricks.length - 1 : round.tricks.length;
  const key = (seat: number) => `${round.number}.${index}.${seat}`;
  const cards = split(trick?.moves ?? '').map((move, i): Lying => {
    const seat = (trick!.leader + i) % players;
    return { key: key(seat), seat, move, mine: seat === game.seat, pending: false };
  });
  if (card && game.seat !== null) {
    cards.push({ key: key(game.seat), seat: game.seat, move: card, mine: true, pending: true });
  }
  return { cards, winner: trick?.winner ?? null };
}
