// Tells what has happened at a table, as reasons for `sentence`: for the log and screen readers.

import type { Reason, WireReason } from '../say.ts';
import { colourOf, isBid, split } from '../codes.ts';
import { handle, type Handlers } from './facts.ts';
import { seatIn } from './tricks.ts';
import type { Fact, GameView, RoundView, TableView, TrickView, TrumpChangeData } from './types.ts';

/** The level of detail at which something is said: always, usually, or only in full. */
export type Level = 'brief' | 'usual' | 'full';

/** An entry of the log. */
export interface Entry {
  readonly reason: Reason | WireReason;
  readonly level: Level;
}

const said = (code: string, params: Record<string, unknown>, level: Level): Entry => ({
  reason: { code, params },
  level,
});

/** The reason for a new trump. */
export function tellTrumpChange(change: TrumpChangeData): Reason {
  const params = { by: change.seat, cards: change.cards, colour: change.trump };
  if (change.trump === null && change.cause !== 'out') return { code: 'event.trump.none', params };
  const how =
    change.cause !== 'change' ? change.cause : change.cards ? 'change_turned' : 'change_named';
  return { code: `event.trump.${how}`, params };
}

/** Why a full trick was won: the server omits what the trick itself shows. */
export function tellWinner(round: RoundView, trick: TrickView): WireReason {
  const { winner, trump, ruling } = trick;
  const card = split(trick.moves).find((_, i) => seatIn(round, trick, i) === winner)!;
  return { winner, trump, card, colour: colourOf(card), ...ruling! };
}

/** A notice that a game began without the words of some seats; null if none is missing. */
export function tellStart(withheld: readonly number[]): Entry | null {
  const n = withheld.length;
  return n ? said('fact.withheld', { players: withheld, n }, 'brief') : null;
}

function tellDeal({ number, dealer, hand_size }: RoundView): Entry {
  const code = hand_size === 1 ? 'event.deal.one' : 'event.deal';
  return said(code, { round: number, dealer, n: hand_size }, 'usual');
}

function tellBids(round: RoundView, level: Level): Entry[] {
  return round.order.flatMap((player) => {
    const n = round.bids[player] ?? null;
    return n === null ? [] : [said('event.bid', { player, n }, level)];
  });
}

function tellPoints({ sides }: GameView, round: RoundView): Entry[] {
  return (round.points ?? []).map((points, side) => {
    const players = sides[side] ?? [];
    const sum = (list: readonly (number | null)[]) =>
      players.reduce((all, seat) => all + (list[seat] ?? 0), 0);
    const [bid, won] = [sum(round.bids), sum(round.won ?? [])];
    const code = round.met?.includes(side) ? 'event.points.met' : 'event.points.missed';
    return said(code, { players, bid, won, points }, 'brief');
  });
}

export function tellEnd(game: GameView): Entry[] {
  const { winners, scores, sides } = game;
  if (!winners) return [];
  const seats = winners.flatMap((side) => sides[side] ?? []).sort((a, b) => a - b);
  const points = scores[winners[0] ?? 0] ?? 0;
  return [said('event.end', { players: seats, n: seats.length, points }, 'brief')];
}

/** Everything public about a round so far, in order. */
export function tellRound(table: TableView, game: GameView, round: RoundView): Entry[] {
  const entries = [tellDeal(round), ...tellTrumpChangeAt(round, 0)];
  const late = table.settings.bidding === 'secret';
  if (!late || round.points === null) entries.push(...tellBids(round, 'full'));
  round.tricks.forEach((trick, index) => {
    split(trick.moves).forEach((_, card) => entries.push(...tellCard(round, index, card)));
  });
  if (late && round.points !== null) entries.push(...tellBids(round, 'full'));
  return [...entries, ...tellPoints(game, round)];
}

/** A card played to a trick and its consequences in the round; both count from 0. */
function tellCard(round: RoundView, index: number, card: number): Entry[] {
  const trick = round.tricks[index]!;
  const changesAt = (place: number) =>
    round.trump_changes.flatMap((change, at) =>
      change.trick === index && change.card === place ? tellTrumpChangeAt(round, at) : [],
    );
  const entries = [tellPlay(round, trick, card), ...changesAt(card)];
  const players = round.order.length;
  if (trick.winner === null || card < players - 1) return entries;
  const won: Entry = { reason: tellWinner(round, trick), level: 'usual' };
  return [...entries, won, ...changesAt(players)];
}

function tellPlay(round: RoundView, trick: TrickView, at: number): Entry {
  const code = at === 0 ? 'event.lead' : 'event.play';
  const card = split(trick.moves)[at];
  return said(code, { player: seatIn(round, trick, at), card }, 'full');
}

/** The reason for a trump change of a round; empty if an Out left the trump unchanged. */
function tellTrumpChangeAt({ trump_changes: changes }: RoundView, at: number): Entry[] {
  const change = changes[at];
  if (!change || (change.cause === 'out' && changes[at - 1]?.trump === change.trump)) return [];
  return [{ reason: tellTrumpChange(change), level: 'usual' }];
}

const TELLERS = {
  dealt: (_, __, ___, round) => [tellDeal(round), ...tellTrumpChangeAt(round, 0)],
  played: (_, { seat, move, hidden }, __, round) => {
    if (hidden) return []; // told when it was made
    if (isBid(move ?? '')) return [said('event.bid', { player: seat, n: Number(move) }, 'full')];
    const trick = round.tricks.at(-1)!;
    return [tellPlay(round, trick, split(trick.moves).length - 1)];
  },
  bid_sealed: (_, { seat }) => [said('page.table.log.hidden_bid', { player: seat }, 'full')],
  bids_shown: (_, __, ___, round) => tellBids(round, 'usual'),
  trump_set: (_, __, ___, round) => tellTrumpChangeAt(round, round.trump_changes.length - 1),
  trick_won: (_, __, ___, round) => [
    { reason: tellWinner(round, round.tricks.at(-1)!), level: 'usual' },
  ],
  round_over: (_, __, game, round) => tellPoints(game, round),
  game_over: (_, __, game) => tellEnd(game),
} satisfies Handlers<Entry[], [game: GameView, round: RoundView]>;
/** The kinds of facts that tell the game itself. */
export type GameKind = keyof typeof TELLERS;

/** What to say about a fact; `table` is the table after it. */
export function tellFact(table: TableView, fact: Fact): Entry[] {
  const round = table.game?.rounds.at(-1);
  return (table.game && round && handle(TELLERS, table, fact, table.game, round)) || [];
}

/** All rounds so far, as chapters. */
export function story(table: TableView): { round: number; entries: Entry[] }[] {
  const { game } = table;
  const begun = tellStart(table.withheld ?? []);
  return (game?.rounds ?? []).map((round, at) => {
    const entries = tellRound(table, game!, round);
    return { round: round.number, entries: begun && at === 0 ? [begun, ...entries] : entries };
  });
}
