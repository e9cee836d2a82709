// The facts about the game, folded into a table.

import { byHand, byPack, cardOf, isBid, LETTERS, split, withCard, withoutCard } from './cards.ts';
import { change, changeGame, put, seatsWith } from './changed.ts';
import type { Folded } from './fold.ts';
import type { Cause, Fact, GameView, RoundView, TableView, TrickView } from './types.ts';

type Change = (state: Folded, fact: any, at: number) => Folded | null;

function plus(list: readonly number[], at: number, by: number): number[] {
  return put(list, at, (list[at] ?? 0) + by);
}

const noVotes = (table: TableView, at: number) =>
  seatsWith(table, (_, i) => (i === at ? { votes: {} } : null));

function started(state: Folded, fact: { names: string[] }): Folded {
  const { table } = state;
  const zeros = fact.names.map(() => 0);
  const sides = table.settings.teams ?? fact.names.length;
  const seat = table.me && (table.me.seat ?? table.me.looking);
  const known = table.options.known && { voids: fact.names.map(() => ''), seen: '' };
  const game: GameView = {
    seat,
    players: fact.names,
    first_round: 1,
    to_act: null,
    bidding: false,
    over: false,
    trump: null,
    led: null,
    hand: '',
    hand_sizes: zeros,
    won: zeros,
    bonus: zeros,
    mad: zeros,
    ...known,
    scores: zeros.slice(0, sides),
    winners: null,
    rounds: [],
  };
  return { ...change(state, { phase: 'playing', game }), undoable: false };
}

interface Dealt {
  round: number;
  dealer: number;
  hands: (string | null)[];
  turned: string;
  trump?: string | null;
}

function dealt(state: Folded, fact: Dealt, at: number): Folded | null {
  const { game, settings } = state.table;
  if (!game) return null;
  const { turned, dealer } = fact;
  const trump = fact.trump ?? null;
  const nobody = game.players.map(() => null);
  const zeros = game.players.map(() => 0);
  const hand_size = settings.schedule[fact.round - 1] ?? 0;
  const round: RoundView = {
    number: fact.round,
    dealer,
    hand_size,
    bids: nobody,
    turns: [{ cause: 'deal', trick: -1, card: -1, seat: null, cards: turned, trump }],
    tricks: [],
    won: null,
    points: null,
  };
  const hand = game.seat === null ? '' : (fact.hands[game.seat] ?? '');
  const known = game.seen !== undefined && {
    voids: nobody.map(() => ''),
    seen: split(turned).sort(byPack).join(' '),
  };
  const changes = {
    bidding: true,
    trump,
    led: null,
    hand: split(hand).sort(byHand).join(' '),
    hand_sizes: zeros.map(() => hand_size),
    won: zeros,
    bonus: zeros,
    mad: zeros,
    ...known,
    rounds: [...game.rounds, round],
  };
  const next = changeGame(state, changes, { turn_since: at });
  return next && { ...next, undoable: false };
}

interface Played {
  ply: number;
  seat: number;
  move?: string | null;
  hidden?: boolean;
  led?: string | null;
  void?: string | null;
}

function played(state: Folded, fact: Played, at: number): Folded | null {
  const { table } = state;
  const game = table.game;
  const round = game?.rounds.at(-1);
  if (!game || !round) return null;
  const bid = fact.hidden || isBid(fact.move ?? '0');
  const changes = bid ? bidMade(game, round, fact) : cardPlayed(game, round, fact);
  const mine = fact.seat === table.me?.seat;
  const undoable = mine ? true : fact.hidden ? state.undoable : false;
  const more = {
    ply: fact.ply + 1,
    turn_since: at,
    asked: false,
    proposal: null,
    seats: Object.keys(table.seats[fact.seat]?.votes ?? {}).length
      ? noVotes(table, fact.seat)
      : table.seats,
  };
  const next = changeGame(state, changes, more);
  return next && { ...next, undoable };
}

function bidMade(game: GameView, round: RoundView, fact: Played): Partial<GameView> {
  const bids = put(round.bids, fact.seat, fact.move == null ? null : Number(fact.move));
  return {
    rounds: put(game.rounds, game.rounds.length - 1, { ...round, bids }),
    bidding: fact.seat !== round.dealer,
  };
}

function cardPlayed(game: GameView, round: RoundView, fact: Played): Partial<GameView> {
  const move = fact.move ?? '';
  const last = round.tricks.at(-1);
  const open = last && last.winner === null ? last : null;
  const trick: TrickView = open
    ? { ...open, moves: `${open.moves} ${move}` }
    : { leader: fact.seat, moves: move, trump: null, winner: null };
  const tricks = open ? [...round.tricks.slice(0, -1), trick] : [...round.tricks, trick];
  const card = cardOf(move);
  const known = game.seen !== undefined && {
    seen: withCard(game.seen, card, byPack),
    voids: shown(game.voids ?? [], fact),
  };
  // Who acts next is told with the last fact; until it is shown, nobody seems to.
  return {
    to_act: null,
    hand: fact.seat === game.seat ? withoutCard(game.hand, card) : game.hand,
    hand_sizes: plus(game.hand_sizes, fact.seat, -1),
    led: fact.led ?? game.led,
    rounds: put(game.rounds, game.rounds.length - 1, { ...round, tricks }),
    ...known,
  };
}

function shown(voids: readonly string[], fact: Played): readonly string[] {
  if (!fact.void) return voids;
  const all = (voids[fact.seat] ?? '') + fact.void;
  return put(voids, fact.seat, [...LETTERS].filter((each) => all.includes(each)).join(''));
}

function bidsShown(state: Folded, fact: { bids: number[] }): Folded | null {
  const game = state.table.game;
  const round = game?.rounds.at(-1);
  if (!game || !round) return null;
  const rounds = put(game.rounds, game.rounds.length - 1, { ...round, bids: fact.bids });
  const next = changeGame(state, { rounds });
  return next && { ...next, undoable: false };
}

interface TrumpSet {
  cause: Cause;
  cards: string;
  trump?: string | null;
}

function trumpSet(state: Folded, fact: TrumpSet): Folded | null {
  const game = state.table.game;
  const round = game?.rounds.at(-1);
  const trick = round?.tricks.at(-1);
  if (!game || !round || !trick) return null;
  const { cause, cards } = fact;
  const trump = fact.trump ?? null;
  const count = split(trick.moves).length;
  const by = cause === 'after' ? null : (trick.leader + count - 1) % game.players.length;
  const card = cause === 'after' ? count : count - 1;
  const turn = { cause, trick: round.tricks.length - 1, card, seat: by, cards, trump };
  const rounds = put(game.rounds, game.rounds.length - 1, {
    ...round,
    turns: [...round.turns, turn],
  });
  const seen = game.seen !== undefined && {
    seen: split(cards).reduce((all, each) => withCard(all, each, byPack), game.seen),
  };
  const next = changeGame(state, { trump, rounds, ...seen });
  return next && { ...next, undoable: cards ? false : state.undoable };
}

function trickWon(state: Folded, fact: { seat: number }): Folded | null {
  const game = state.table.game;
  const round = game?.rounds.at(-1);
  const trick = round?.tricks.at(-1);
  if (!game || !round || !trick) return null;
  const cards = split(trick.moves);
  const count = (code: string) => cards.filter((each) => each === code).length;
  const tricks = [...round.tricks.slice(0, -1), { ...trick, winner: fact.seat, trump: game.trump }];
  return changeGame(state, {
    led: null,
    won: plus(game.won, fact.seat, 1),
    bonus: plus(game.bonus, fact.seat, count('+')),
    mad: plus(game.mad, fact.seat, count('-')),
    rounds: put(game.rounds, game.rounds.length - 1, { ...round, tricks }),
  });
}

function roundOver(state: Folded, fact: { won: number[]; points: number[] }): Folded | null {
  const game = state.table.game;
  const round = game?.rounds.at(-1);
  if (!game || !round) return null;
  const { won, points } = fact;
  const next = changeGame(state, {
    scores: game.scores.map((score, side) => score + (points[side] ?? 0)),
    hand_sizes: game.hand_sizes.map(() => 0),
    rounds: put(game.rounds, game.rounds.length - 1, { ...round, won, points }),
  });
  return next && { ...next, undoable: false };
}

function gameOver(state: Folded, fact: { scores: number[]; winners: number[]; seed: string }) {
  const { scores, winners, seed } = fact;
  const changes = { scores, winners, over: true, to_act: null, bidding: false };
  return changeGame(state, changes, { phase: 'over', seed });
}

function rematched(state: Folded): Folded {
  const seats = seatsWith(state.table, (seat) => ({
    word: '',
    votes: {},
    bot: seat.person === null ? seat.bot : null,
  }));
  const over = { phase: 'gathering', game: null, seats, seed: null, asked: false } as const;
  return { ...change(state, over), undoable: false };
}

const CHANGES: Readonly<Record<string, Change>> = {
  started,
  dealt,
  played,
  bids_shown: bidsShown,
  trump_set: trumpSet,
  trick_won: trickWon,
  round_over: roundOver,
  game_over: gameOver,
  rematched,
};

/** A fact about the game; null for any other, and for what needs the whole table. */
export function foldGame(state: Folded, fact: Fact, at: number): Folded | null {
  return CHANGES[fact.type]?.(state, fact, at) ?? null;
}
