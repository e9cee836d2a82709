// What has happened at a table, as reasons for `sentence`: for the log and for who listens.

import { judgeIn } from '../offline/trick.ts';
import type { Reason } from '../say.ts';
import { isBid, split } from './cards.ts';
import type { Fact, GameView, RoundView, TableView, TurnView } from './types.ts';

/** From what level of detail on something is told: to all, as usual, to who wants everything. */
export type Level = 'brief' | 'usual' | 'full';

export interface Told {
  readonly reason: Reason;
  readonly level: Level;
}

const said = (code: string, params: Record<string, unknown>, level: Level): Told => ({
  reason: { code, params },
  level,
});

const eldestFirst = (round: RoundView) =>
  round.bids.map((_, i) => (round.dealer + 1 + i) % round.bids.length);

/** How the trump was set. */
export function tellTurn(turn: TurnView): Reason {
  const params = { by: turn.seat, cards: turn.cards, colour: turn.trump };
  if (turn.trump === null && turn.cause !== 'out') return { code: 'event.turn.none', params };
  const how = turn.cause !== 'change' ? turn.cause : turn.cards ? 'change_turned' : 'change_named';
  return { code: `event.turn.${how}`, params };
}

/** Why a full trick of a round was won. */
export function tellWinner(table: TableView, round: RoundView, index: number): Reason {
  return judgeIn(table.settings, round.bids.length, round, index).ruling;
}

function tellDeal({ number, dealer, hand_size }: RoundView): Told {
  return said('event.deal', { round: number, dealer, n: hand_size }, 'usual');
}

function tellBids(round: RoundView, level: Level): Told[] {
  return eldestFirst(round).flatMap((player) => {
    const n = round.bids[player] ?? null;
    return n === null ? [] : [said('event.bid', { player, n }, level)];
  });
}

function tellPoints(round: RoundView): Told[] {
  const sides = round.points?.length ?? 0;
  return (round.points ?? []).map((points, side) => {
    const players = round.bids.flatMap((_, seat) => (seat % sides === side ? [seat] : []));
    const sum = (list: readonly (number | null)[]) =>
      players.reduce((all, seat) => all + (list[seat] ?? 0), 0);
    const [bid, won] = [sum(round.bids), sum(round.won ?? [])];
    const code = bid === won ? 'event.points.met' : 'event.points.missed';
    return said(code, { players, bid, won, points: `${points < 0 ? '' : '+'}${points}` }, 'brief');
  });
}

export function tellEnd(game: GameView): Told[] {
  const { winners, scores, players } = game;
  if (!winners) return [];
  const seats = players.flatMap((_, at) => (winners.includes(at % scores.length) ? [at] : []));
  const points = scores[winners[0] ?? 0] ?? 0;
  return [said('event.end', { players: seats, n: seats.length, points }, 'brief')];
}

/** Everything that is public about a round so far, in the order in which it happened. */
export function tellRound(table: TableView, round: RoundView): Told[] {
  const players = round.bids.length;
  const [first, ...turns] = round.turns;
  const told = [tellDeal(round)];
  if (first) told.push({ reason: tellTurn(first), level: 'usual' });
  const late = table.settings.bidding === 'secret';
  if (!late || round.points === null) told.push(...tellBids(round, 'full'));
  round.tricks.forEach((trick, index) => {
    split(trick.moves).forEach((card, i) => {
      const player = (trick.leader + i) % players;
      told.push(said(i === 0 ? 'event.lead' : 'event.play', { player, card }, 'full'));
      if (turns[0]?.trick === index && turns[0].card === i) told.push(...takeTurn(turns));
    });
    if (trick.winner === null) return;
    told.push({ reason: tellWinner(table, round, index), level: 'usual' });
    if (turns[0]?.trick === index) told.push(...takeTurn(turns));
  });
  if (late && round.points !== null) told.push(...tellBids(round, 'full'));
  return [...told, ...tellPoints(round)];
}

function takeTurn(turns: TurnView[]): Told[] {
  const turn = turns.shift();
  return turn ? [{ reason: tellTurn(turn), level: 'usual' }] : [];
}

type Teller = (table: TableView, fact: any, game: GameView, round: RoundView) => Told[];

const TELLERS: Readonly<Record<string, Teller>> = {
  dealt: (_, __, ___, round) => [
    tellDeal(round),
    ...round.turns.map((turn): Told => ({ reason: tellTurn(turn), level: 'usual' })),
  ],
  played: (_, { seat, move, hidden }, __, round) => {
    if (hidden || isBid(move ?? '')) return tellBid(seat, move ?? null);
    const code = split(round.tricks.at(-1)?.moves ?? '').length === 1 ? 'event.lead' : 'event.play';
    return [said(code, { player: seat, card: move }, 'full')];
  },
  bids_shown: (_, __, ___, round) => tellBids(round, 'usual'),
  trump_set: (_, __, ___, round) => {
    const turn = round.turns.at(-1);
    return turn ? [{ reason: tellTurn(turn), level: 'usual' }] : [];
  },
  trick_won: (table, _, __, round) => [
    { reason: tellWinner(table, round, round.tricks.length - 1), level: 'usual' },
  ],
  round_over: (_, __, ___, round) => tellPoints(round),
  game_over: (_, __, game) => tellEnd(game),
};

function tellBid(player: number, move: string | null): Told[] {
  if (move === null) return [said('page.table.log.hidden_bid', { player }, 'full')];
  return [said('event.bid', { player, n: Number(move) }, 'full')];
}

/** What to say of a fact; `table` is the table after it. */
export function tellFact(table: TableView, fact: Fact): Told[] {
  const round = table.game?.rounds.at(-1);
  const teller = TELLERS[fact.type];
  return teller && table.game && round ? teller(table, fact, table.game, round) : [];
}

/** The same in chapters: every round so far. */
export function story(table: TableView): { round: number; told: Told[] }[] {
  const rounds = table.game?.rounds ?? [];
  return rounds.map((round) => ({ round: round.number, told: tellRound(table, round) }));
}

/** The trick that was finished last, also of the round before; null where there is none. */
export function lastTrick(game: GameView): { round: RoundView; index: number } | null {
  for (const round of [...game.rounds].reverse()) {
    const full = round.tricks.filter((trick) => trick.winner !== null).length;
    if (full > 0) return { round, index: full - 1 };
  }
  return null;
}
