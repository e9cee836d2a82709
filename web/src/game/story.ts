// What has happened at a table, as reasons for `sentence`: for the log and for screen readers.

import type { Reason, WireReason } from '../say.ts';
import { colourOf, isBid, split } from '../codes.ts';
import { handle, type Handlers } from './facts.ts';
import type { Fact, GameView, RoundView, TableView, TrickView, TrumpChangeData } from './types.ts';

/** At which level of detail something is told: always, usually, or only where everything is. */
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

/** How the trump was set. */
export function tellTrumpChange(change: TrumpChangeData): Reason {
  const params = { by: change.seat, cards: change.cards, colour: change.trump };
  if (change.trump === null && change.cause !== 'out') return { code: 'event.trump.none', params };
  const how =
    change.cause !== 'change' ? change.cause : change.cards ? 'change_turned' : 'change_named';
  return { code: `event.trump.${how}`, params };
}

/** The seat that has played a card of a trick, from 0. */
export function seatIn({ order }: RoundView, { leader }: TrickView, card: number): number {
  return order[(order.indexOf(leader) + card) % order.length]!;
}

/** Why a full trick was won: the server leaves out what the trick itself says. */
export function tellWinner(round: RoundView, trick: TrickView): WireReason {
  const { winner, trump, ruling } = trick;
  const card = split(trick.moves).find((_, i) => seatIn(round, trick, i) === winner)!;
  return { winner, trump, card, colour: colourOf(card), ...ruling! };
}

/** That a game began without the words of some seats; null where there are none. */
export function tellStart(withheld: readonly number[]): Entry | null {
  const n = withheld.length;
  return n ? said('fact.withheld', { players: withheld, n }, 'brief') : null;
}

function tellDeal({ number, dealer, hand_size }: RoundView): Entry {
  return said('event.deal', { round: number, dealer, n: hand_size }, 'usual');
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
    return said(code, { players, bid, won, points: `${points < 0 ? '' : '+'}${points}` }, 'brief');
  });
}

export function tellEnd(game: GameView): Entry[] {
  const { winners, scores, sides } = game;
  if (!winners) return [];
  const seats = winners.flatMap((side) => sides[side] ?? []).sort((a, b) => a - b);
  const points = scores[winners[0] ?? 0] ?? 0;
  return [said('event.end', { players: seats, n: seats.length, points }, 'brief')];
}

/** Everything that is public about a round so far, in the order in which it happened. */
export function tellRound(table: TableView, game: GameView, round: RoundView): Entry[] {
  const entries = [tellDeal(round), ...tellTrumpChangeAt(round, 0)];
  let next = 1;
  const late = table.settings.bidding === 'secret';
  if (!late || round.points === null) entries.push(...tellBids(round, 'full'));
  round.tricks.forEach((trick, index) => {
    split(trick.moves).forEach((card, i) => {
      const code = i === 0 ? 'event.lead' : 'event.play';
      entries.push(said(code, { player: seatIn(round, trick, i), card }, 'full'));
      const change = round.trump_changes[next];
      if (change?.trick === index && change.card === i)
        entries.push(...tellTrumpChangeAt(round, next++));
    });
    if (trick.winner === null) return;
    entries.push({ reason: tellWinner(round, trick), level: 'usual' });
    if (round.trump_changes[next]?.trick === index)
      entries.push(...tellTrumpChangeAt(round, next++));
  });
  if (late && round.points !== null) entries.push(...tellBids(round, 'full'));
  return [...entries, ...tellPoints(game, round)];
}

/** What one of the trump changes of a round has set: nothing, if an Out has left it as it was. */
function tellTrumpChangeAt({ trump_changes: changes }: RoundView, at: number): Entry[] {
  const change = changes[at];
  if (!change || (change.cause === 'out' && changes[at - 1]?.trump === change.trump)) return [];
  return [{ reason: tellTrumpChange(change), level: 'usual' }];
}

const TELLERS: Handlers<Entry[], [game: GameView, round: RoundView]> = {
  dealt: (_, __, ___, round) => [tellDeal(round), ...tellTrumpChangeAt(round, 0)],
  played: (_, { seat, move, hidden }, __, round) => {
    if (hidden || isBid(move ?? '')) return tellBid(seat, move ?? null);
    const code = split(round.tricks.at(-1)?.moves ?? '').length === 1 ? 'event.lead' : 'event.play';
    return [said(code, { player: seat, card: move }, 'full')];
  },
  bids_shown: (_, __, ___, round) => tellBids(round, 'usual'),
  trump_set: (_, __, ___, round) => tellTrumpChangeAt(round, round.trump_changes.length - 1),
  trick_won: (_, __, ___, round) => [
    { reason: tellWinner(round, round.tricks.at(-1)!), level: 'usual' },
  ],
  round_over: (_, __, game, round) => tellPoints(game, round),
  game_over: (_, __, game) => tellEnd(game),
};

function tellBid(player: number, move: string | null): Entry[] {
  if (move === null) return [said('page.table.log.hidden_bid', { player }, 'full')];
  return [said('event.bid', { player, n: Number(move) }, 'full')];
}

/** What to say of a fact; `table` is the table after it. */
export function tellFact(table: TableView, fact: Fact): Entry[] {
  const round = table.game?.rounds.at(-1);
  return (table.game && round && handle(TELLERS, table, fact, table.game, round)) || [];
}

/** The same in chapters: every round so far. */
export function story(table: TableView): { round: number; entries: Entry[] }[] {
  const { game } = table;
  const begun = tellStart(table.withheld ?? []);
  return (game?.rounds ?? []).map((round, at) => {
    const entries = tellRound(table, game!, round);
    return { round: round.number, entries: begun && at === 0 ? [begun, ...entries] : entries };
  });
}

/** A trick, with its round and its place there, from 0. */
export interface LastTrick {
  readonly round: RoundView;
  readonly index: number;
  readonly trick: TrickView;
}

/** The trick that was finished last, also of the round before; null where there is none. */
export function lastTrick({ rounds }: GameView): LastTrick | null {
  const all = rounds.flatMap((round) =>
    round.tricks.map((trick, index) => ({ round, index, trick })),
  );
  return all.filter(({ trick }) => trick.winner !== null).at(-1) ?? null;
}
