// The state of each player in the round and the game, ready to be drawn.

import { type SignOf, signOf } from '../cards/signs';
import { isBid, split } from '../codes';
import { seatIn } from '../game/tricks';
import { sealedBids } from '../game/sealed';
import type { ClockOption, GameView, RoundView, SeatView, TableView } from '../game/types';
import { announcedClock } from '../start/clock';
import { ranks } from '../start/places';
import { sideOf } from './sheet';

/** The signs that the players have chosen, by seat. */
export const chosenAt = (table: Pick<TableView, 'seats'>) => table.seats.map(({ sign }) => sign);

export interface Standing extends SignOf {
  readonly seat: number;
  readonly name: string;
  readonly bid: number | null;
  readonly won: number;
  /** Whether a bid was made that is still hidden. */
  readonly hidden: boolean;
  /** Whether bidding is still going on. */
  readonly bidding: boolean;
  /** The state of the bid if it is certain or visible; of a player, not of a team. */
  readonly seal: 'met' | 'over' | 'short' | null;
  /** The number of cards held. */
  readonly held: number;
  /** The numbers of Bonus and Mad cards in the tricks won. */
  readonly bonus: number;
  readonly mad: number;
  /** The points for each Bonus or Mad card. */
  readonly worth: number;
  readonly isToAct: boolean;
  readonly isLeader: boolean;
  readonly isDealer: boolean;
  readonly bot: boolean;
  readonly away: boolean;
  readonly score: number;
  /** The place by points, from 1. */
  readonly place: number;
}

/** A running friendly clock. */
export interface RunningClock {
  readonly clock: ClockOption;
  readonly since: number;
  readonly clockOffset: number;
}

/** The clock of the player to act, if one is running. */
export function runningClock(table: TableView, clockOffset: number): RunningClock | null {
  const { options, phase, turn_since: since } = table;
  return options.clock && phase === 'playing'
    ? { clock: announcedClock(options.clock, options.takeover), since, clockOffset }
    : null;
}

function sealOf(
  game: GameView,
  round: RoundView,
  seat: number,
  bid: number | null,
): Standing['seal'] {
  if (bid === null || game.bidding || game.sides.some(({ length }) => length > 1)) return null;
  const won = (round.won ?? game.won)[seat] ?? 0;
  if (won > bid) return 'over';
  const left = round.hand_size - (round.won ?? game.won).reduce((all, each) => all + each, 0);
  if (won === bid) return 'met';
  return won + left < bid ? 'short' : null;
}

/** All players by seat. `mine` is my bid if not stored yet. */
export function standings(table: TableView, mine: number | null = null): Standing[] {
  const { game } = table;
  const round = game?.rounds.at(-1);
  const trick = round?.tricks.at(-1);
  const atOnce = sealedBids(table) !== null;
  const chosen = chosenAt(table);
  const places = game ? ranks(game.scores, game.winners) : [];
  return table.seats.map((each, seat) => {
    const pending = seat === game?.seat ? mine : null;
    const bid = round?.bids[seat] ?? pending;
    const side = game ? sideOf(game, seat) : -1;
    return {
      ...signOf(seat, game?.sides, chosen),
      seat,
      name: game?.players[seat] ?? each.name,
      bid,
      won: game?.won[seat] ?? 0,
      hidden: bid === null && game?.has_bid[seat] === true,
      bidding: game?.bidding ?? false,
      seal: game && round ? sealOf(game, round, seat, bid) : null,
      held: game?.hand_sizes[seat] ?? 0,
      bonus: game?.bonus[seat] ?? 0,
      mad: game?.mad[seat] ?? 0,
      worth: table.card_points,
      isToAct:
        pending === null &&
        table.phase === 'playing' &&
        (atOnce ? !game?.has_bid[seat] : game?.to_act === seat),
      isLeader: trick != null && trick.winner === null && trick.leader === seat,
      isDealer: round?.dealer === seat,
      bot: each.bot !== null,
      away: !each.here,
      score: game?.scores[side] ?? 0,
      place: places[side] ?? 1,
    };
  });
}

/** The sum of all visible bids, and whether some are hidden or will be. */
export function totalBid(table: TableView, mine: number | null = null) {
  const round = table.game?.rounds.at(-1);
  const seat = table.game?.seat ?? -1;
  const bids = table.seats.map((_, at) => round?.bids[at] ?? (at === seat ? mine : null));
  const hidden = bids.map((bid, at) => bid === null && table.game?.has_bid[at] === true);
  return {
    sum: bids.reduce<number>((all, bid) => all + (bid ?? 0), 0),
    hidden: hidden.includes(true) || sealedBids(table) !== null,
    all: bids.every((bid, at) => bid !== null || hidden[at]),
  };
}

export interface TableCard {
  readonly key: string;
  readonly seat: number;
  readonly move: string;
  readonly mine: boolean;
  readonly pending: boolean;
}

/** The cards in the middle: of the current trick, or of the one just won (`winner`). */
export function cardsOnTable(
  table: TableView,
  pending: string | null,
  trickCleared: boolean,
): { cards: TableCard[]; winner: number | null } {
  const { game } = table;
  const round = game?.rounds.at(-1);
  if (!game || !round) return { cards: [], winner: null };
  const last = round.tricks.at(-1);
  const full = last?.winner != null;
  const card = pending !== null && !isBid(pending) ? pending : null;
  const trick = last && !(full && (trickCleared || card)) ? last : null;
  const index = trick ? round.tricks.length - 1 : round.tricks.length;
  const key = (seat: number) => `${round.number}.${index}.${seat}`;
  const cards = split(trick?.moves ?? '').map((move, i): TableCard => {
    const seat = seatIn(round, trick!, i);
    return { key: key(seat), seat, move, mine: seat === game.seat, pending: false };
  });
  if (card && game.seat !== null) {
    cards.push({ key: key(game.seat), seat: game.seat, move: card, mine: true, pending: true });
  }
  return { cards, winner: trick?.winner ?? null };
}

/** Whether nobody sits there, not even a bot. */
export const isFree = ({ person, bot }: SeatView): boolean => person === null && bot === null;
