// Folds facts about the game.

import { byHand, byPack, cardOf, COLOURS, isBid, split, withCard, withoutCard } from '../codes.ts';
import { changeGame, changeRound, put } from './copies.ts';
import type { FactOf, Handlers } from './facts.ts';
import type { GameView, RoundView, TableView, TrickView } from './types.ts';

function plus(list: readonly number[], at: number, by: number): number[] {
  return put(list, at, (list[at] ?? 0) + by);
}

/** A seat's counts at the start of a round with hands of this size. */
function counts(players: readonly string[], hand: number) {
  const none = players.map(() => 0);
  return { hand_sizes: players.map(() => hand), won: none, bonus: none, mad: none };
}

function started(table: TableView, fact: FactOf<'started'>): TableView {
  const { names: players, sides = [] } = fact;
  const seat = table.me && (table.me.seat ?? table.me.looking);
  const known = table.options.known && { voids: players.map(() => ''), seen: '' };
  const game: GameView = {
    seat,
    players,
    sides,
    to_act: null,
    bidding: false,
    has_bid: players.map(() => false),
    over: false,
    trump: null,
    led: null,
    hand: '',
    ...counts(players, 0),
    ...known,
    scores: sides.map(() => 0),
    winners: null,
    rounds: [],
  };
  return { ...table, phase: 'playing', game };
}

function dealt(table: TableView, fact: FactOf<'dealt'>): TableView | null {
  const { game, settings } = table;
  if (!game) return null;
  const { round: number, dealer, order = [], turned, trump = null } = fact;
  const { players } = game;
  const round: RoundView = {
    number,
    dealer,
    order,
    hand_size: settings.schedule[number - 1] ?? 0,
    bids: players.map(() => null),
    trump_changes: [{ cause: 'deal', trick: -1, card: -1, seat: null, cards: turned, trump }],
    tricks: [],
    won: null,
    points: null,
    met: null,
    accounts: null,
  };
  const hand = game.seat === null ? '' : (fact.hands[game.seat] ?? '');
  const known = game.seen !== undefined && {
    voids: players.map(() => ''),
    seen: split(turned).sort(byPack).join(' '),
  };
  const changes = {
    bidding: true,
    has_bid: players.map(() => false),
    trump,
    hand: split(hand).sort(byHand).join(' '),
    ...counts(players, round.hand_size),
    ...known,
    rounds: [...game.rounds, round],
  };
  return changeGame(table, changes);
}

function played(table: TableView, fact: FactOf<'played'>): TableView | null {
  const { game } = table;
  const round = game?.rounds.at(-1);
  if (!game || !round) return null;
  const bid = fact.hidden || isBid(fact.move ?? '0');
  const next = { ...table, ply: fact.ply + 1 };
  return bid ? bidMade(next, game, round, fact) : cardPlayed(next, game, round, fact);
}

function bidMade(table: TableView, game: GameView, round: RoundView, fact: FactOf<'played'>) {
  const { seat, move = null, last = false } = fact;
  const bids = put(round.bids, seat, move === null ? null : Number(move));
  const more = { bidding: !last, has_bid: put(game.has_bid, seat, true) };
  return changeRound(table, { bids }, more);
}

function cardPlayed(table: TableView, game: GameView, round: RoundView, fact: FactOf<'played'>) {
  const { seat } = fact;
  const move = fact.move ?? '';
  const last = round.tricks.at(-1);
  const open = last && last.winner === null ? last : null;
  const trick: TrickView = open
    ? { ...open, moves: `${open.moves} ${move}` }
    : { leader: seat, moves: move, trump: null, winner: null, ruling: null };
  const tricks = open ? [...round.tricks.slice(0, -1), trick] : [...round.tricks, trick];
  const card = cardOf(move);
  const known = game.seen !== undefined && {
    seen: withCard(game.seen, card, byPack),
    voids: shown(game.voids ?? [], fact),
  };
  // Who acts next comes with the last fact; until then no one does.
  const hand = seat === game.seat ? withoutCard(game.hand, card) : game.hand;
  const hand_sizes = plus(game.hand_sizes, seat, -1);
  const led = fact.led ?? (open ? game.led : null);
  return changeRound(table, { tricks }, { to_act: null, led, hand, hand_sizes, ...known });
}

function shown(voids: readonly string[], fact: FactOf<'played'>): readonly string[] {
  if (!fact.void) return voids;
  const all = (voids[fact.seat] ?? '') + fact.void;
  return put(voids, fact.seat, COLOURS.filter((each) => all.includes(each)).join(''));
}

function trumpSet(table: TableView, fact: FactOf<'trump_set'>): TableView | null {
  const { cause, cards, trump = null, seat = null } = fact;
  const game = table.game;
  const round = game?.rounds.at(-1);
  const trick = round?.tricks.at(-1);
  if (!game || !round || !trick) return null;
  const card = split(trick.moves).length - (seat === null ? 0 : 1);
  const change = { cause, trick: round.tricks.length - 1, card, seat, cards, trump };
  const seen = game.seen !== undefined && {
    seen: split(cards).reduce((all, each) => withCard(all, each, byPack), game.seen),
  };
  return changeRound(
    table,
    { trump_changes: [...round.trump_changes, change] },
    { trump, ...seen },
  );
}

function trickWon(
  table: TableView,
  { seat: winner, ruling = null }: FactOf<'trick_won'>,
): TableView | null {
  const game = table.game;
  const trick = game?.rounds.at(-1)?.tricks.at(-1);
  if (!game || !trick) return null;
  const won = { ...trick, winner, ruling, trump: game.trump };
  const tricks = [...game.rounds.at(-1)!.tricks.slice(0, -1), won];
  const moves = split(trick.moves);
  const more = (list: readonly number[], code: string) =>
    plus(list, winner, moves.filter((move) => move === code).length);
  return changeRound(
    table,
    { tricks },
    {
      led: null,
      won: plus(game.won, winner, 1),
      bonus: more(game.bonus, '+'),
      mad: more(game.mad, '-'),
    },
  );
}

function roundOver(table: TableView, fact: FactOf<'round_over'>): TableView | null {
  const { won, points, met = [], accounts = [] } = fact;
  const scores = (table.game?.scores ?? []).map((score, side) => score + (points[side] ?? 0));
  return changeRound(table, { won, points, met, accounts }, { scores });
}

function gameOver(table: TableView, fact: FactOf<'game_over'>) {
  const { scores, winners } = fact;
  const changes = { scores, winners, over: true, to_act: null, bidding: false };
  return changeGame(table, changes, { phase: 'over' });
}

/** By kind of fact about the game, the table after it; null if the whole table is needed. */
export const GAME_CHANGES: Handlers<TableView | null> = {
  started,
  dealt,
  played,
  bid_sealed: (table, { seat }) =>
    changeGame(table, { has_bid: put(table.game?.has_bid ?? [], seat, true) }),
  bids_shown: (table, { bids }) => changeRound(table, { bids }),
  trump_set: trumpSet,
  trick_won: trickWon,
  round_over: roundOver,
  game_over: gameOver,
};
