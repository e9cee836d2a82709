// Statistics of finished games, kept on this device and computed here.

import { isMet } from '../offline/score.ts';
import type { FinishedGame, GameLine, ReplayRound } from '../protocol.ts';
import { store, storedData } from '../stored.ts';
import { sideOf } from '../table/sheet.ts';
import { cell } from './csv.ts';

/** The part of a finished game that counts, about 900 characters. */
export interface Kept {
  readonly id: string;
  readonly ended: number;
  readonly rules: string;
  readonly names: readonly string[];
  /** By seat, whether a bot had it when the game ended. */
  readonly bots: readonly boolean[];
  /** My seat; null if I watched. */
  readonly seat: number | null;
  /** Whether I left before the end, or was dealt less than half of the rounds. */
  readonly part?: boolean;
  /** The side of each seat. */
  readonly sides: readonly number[];
  readonly scores: readonly number[];
  readonly winners: readonly number[];
  readonly rounds: readonly KeptRound[];
}

export interface KeptRound {
  readonly cards: number;
  /** By seat. */
  readonly bids: readonly (number | null)[];
  /** By seat; `null` if the round was dealt to a player other than the seat's last holder. */
  readonly won: readonly (number | null)[];
  /** Who was dealt this round, by seat, if not the holders of the seats at the end. */
  readonly dealt?: {
    readonly names: readonly string[];
    readonly bots: readonly boolean[];
    readonly won: readonly number[];
  };
  /** By side. */
  readonly points: readonly number[];
  /** The sides that met their bids; absent from games stored before that was recorded. */
  readonly met?: readonly number[];
}

/** How often bids were met in rounds of this many cards. */
export interface Met {
  readonly cards: number;
  readonly met: number;
  readonly of: number;
}

export interface Best {
  readonly points: number;
  readonly round: number;
  readonly game: Kept;
}

/** The results of a player. */
export interface Tally {
  readonly name: string;
  readonly games: number;
  readonly wins: number;
  /** Average points a game. */
  readonly average: number;
  readonly met: number;
  readonly bids: number;
}

/** How often a player was ahead of another in shared games, behind, and level. */
export interface Rivalry {
  readonly name: string;
  readonly ahead: number;
  readonly behind: number;
  readonly level: number;
}

export interface Statistics {
  readonly own: Tally | null;
  readonly met: readonly Met[];
  readonly best: Best | null;
  readonly worst: Best | null;
  readonly tallies: readonly Tally[];
  readonly rivals: readonly Rivalry[];
}

/** The part of a finished game that is stored. */
export function keptOf(line: GameLine, { replay }: FinishedGame): Kept {
  const over = replay.rounds.filter(({ won, points }) => won && points);
  const dealt = ({ number, players, bots }: ReplayRound, seat: number) =>
    seat === line.seat
      ? line.rounds.includes(number)
      : players[seat] === replay.players[seat] && bots[seat] === replay.bots[seat];
  return {
    id: `${line.table}/${line.game}`,
    ended: line.ended,
    rules: replay.rules,
    names: replay.players,
    bots: line.bots.map((bot) => bot !== null),
    seat: line.seat,
    ...(line.seat !== null && line.side === null && { part: true }),
    sides: replay.players.map((_, seat) => sideOf(replay, seat)),
    scores: replay.scores,
    winners: replay.winners ?? [],
    rounds: over.map((round) => ({
      cards: round.hand_size,
      bids: round.bids,
      won: round.won!.map((tricks, seat) => (dealt(round, seat) ? tricks : null)),
      ...(round.players.some((_, seat) => !dealt(round, seat)) && {
        dealt: {
          names: round.players,
          bots: round.bots.map((bot) => bot !== null),
          won: round.won!,
        },
      }),
      points: round.points!,
      met: round.met!,
    })),
  };
}

/** The other people of a game as one text, which identifies a group of friends. */
export function groupOf(game: Kept): string {
  const people = playersOf(game).flatMap(({ name }) => name || []);
  return [...new Set(people)].sort((a, b) => a.localeCompare(b)).join(', ');
}

/** The groups of friends, most games first. */
export function groupsOf(games: readonly Kept[]): string[] {
  const counts = new Map<string, number>();
  for (const name of games.map(groupOf)) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

/** What a side bid and won in a round; a team bids together. */
function bidOf(game: Kept, round: KeptRound, side: number): { bid: number; won: number } {
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number>((all, each, at) => all + (game.sides[at] === side ? (each ?? 0) : 0), 0);
  return { bid: sum(round.bids), won: sum(round.won) };
}

function hasMet(game: Kept, round: KeptRound, side: number): boolean {
  return round.met?.includes(side) ?? isMet(bidOf(game, round, side));
}

/** A player at a seat in a game; the name is empty for me. */
interface Played {
  readonly game: Kept;
  readonly seat: number;
  readonly name: string;
}

/** Who was dealt a round at a seat: a name, empty for me; `null` for a bot or no one. */
function holderOf(game: Kept, round: KeptRound, seat: number): string | null {
  if (seat === game.seat && round.won[seat] !== null) return '';
  const { names, bots, won } = round.dealt ?? { ...game, won: round.won };
  return bots[seat] || won[seat] === null ? null : names[seat]!;
}

const roundsOf = ({ game, seat, name }: Played) =>
  game.rounds.filter((round) => holderOf(game, round, seat) === name);

/** The people to whom rounds of a game were dealt. */
function playersOf(game: Kept): Played[] {
  return game.names.flatMap((_, seat) => {
    const names = new Set(game.rounds.map((round) => holderOf(game, round, seat)));
    return [...names].flatMap((name) => (name === null ? [] : [{ game, seat, name }]));
  });
}

const sideIn = ({ game, seat }: Played) => game.sides[seat]!;

/** Whether a game counts as finished by a player: they were dealt half of its rounds and had the
 * seat at the end. */
function finished(played: Played): boolean {
  const { game, seat, name } = played;
  const stayed = name === '' ? !game.part : game.names[seat] === name && !game.bots[seat];
  return stayed && 2 * roundsOf(played).length >= game.rounds.length;
}

/** The points of a player's own rounds. */
function pointsOf(played: Played): number {
  const [side, own] = [sideIn(played), new Set(roundsOf(played))];
  const others = played.game.rounds.filter((round) => !own.has(round));
  return others.reduce((sum, { points }) => sum - points[side]!, played.game.scores[side]!);
}

/** A player's results in the games in which they had a seat. */
function tallyOf(name: string, of: readonly Played[]): Tally {
  const rounds = of.flatMap((played) =>
    roundsOf(played).map((round) => hasMet(played.game, round, sideIn(played))),
  );
  const whole = of.filter(finished);
  const points = whole.reduce((sum, played) => sum + pointsOf(played), 0);
  return {
    name,
    games: whole.length,
    wins: whole.filter((played) => played.game.winners.includes(sideIn(played))).length,
    average: whole.length ? points / whole.length : 0,
    met: rounds.filter(Boolean).length,
    bids: rounds.length,
  };
}

/** All statistics, for me and the people I played with. */
export function statistics(games: readonly Kept[]): Statistics {
  const mine = games.flatMap(asMe);
  const others = new Map<string, Played[]>();
  for (const played of games.flatMap(playersOf)) {
    if (played.name === '') continue;
    others.set(played.name, [...(others.get(played.name) ?? []), played]);
  }
  const tallies = [...others].map(([name, of]) => tallyOf(name, of));
  const all = mine.flatMap((played) =>
    roundsOf(played).map((round) => ({
      game: played.game,
      round: played.game.rounds.indexOf(round) + 1,
      points: round.points[sideIn(played)]!,
    })),
  );
  const byPoints = [...all].sort((a, b) => a.points - b.points);
  return {
    own: mine.length ? tallyOf('', mine) : null,
    met: metByCards(mine),
    best: byPoints.at(-1) ?? null,
    worst: byPoints[0] ?? null,
    tallies: tallies.sort((a, b) => b.games - a.games || b.average - a.average),
    rivals: [...others].flatMap(([name, of]) => rivalry(name, of)),
  };
}

/** Me in a game, if I had a seat. */
function asMe(game: Kept): Played[] {
  return game.seat === null ? [] : [{ game, seat: game.seat, name: '' }];
}

function metByCards(mine: readonly Played[]): Met[] {
  const found = new Map<number, { met: number; of: number }>();
  for (const played of mine) {
    for (const round of roundsOf(played)) {
      const { met, of } = found.get(round.cards) ?? { met: 0, of: 0 };
      const more = hasMet(played.game, round, sideIn(played)) ? 1 : 0;
      found.set(round.cards, { met: met + more, of: of + 1 });
    }
  }
  return [...found]
    .map(([cards, counts]) => ({ cards, ...counts }))
    .sort((a, b) => b.cards - a.cards);
}

/** My record against a player; empty if we never played against each other. */
function rivalry(name: string, of: readonly Played[]): Rivalry[] {
  const ahead = of.flatMap((other) =>
    asMe(other.game)
      .filter((me) => sideIn(me) !== sideIn(other) && finished(me) && finished(other))
      .map((me) => Math.sign(pointsOf(me) - pointsOf(other))),
  );
  const count = (sign: number) => ahead.filter((each) => each === sign).length;
  if (!ahead.length) return [];
  return [{ name, ahead: count(1), behind: count(-1), level: count(0) }];
}

/** All my rounds as CSV (RFC 4180), safe against formulas in names. */
export function csvOf(games: readonly Kept[]): string {
  const head = ['ended', 'game', 'rules', 'player', 'me', 'bot', 'round', 'cards', 'bid', 'won', 'points', 'score']; // prettier-ignore
  const rows = games.flatMap((game) =>
    game.rounds.flatMap((round, at) =>
      (round.dealt?.names ?? game.names).map((name, seat) => {
        const mine = seat === game.seat && round.won[seat] !== null;
        const bot = (round.dealt?.bots ?? game.bots)[seat] ?? false;
        const won = round.dealt?.won[seat] ?? round.won[seat] ?? '';
        const side = game.sides[seat]!;
        const score = game.rounds
          .slice(0, at + 1)
          .reduce((sum, { points }) => sum + points[side]!, 0);
        const time = new Date(game.ended).toISOString();
        return [
          time, game.id, game.rules, name, Number(mine), Number(bot),
          at + 1, round.cards, round.bids[seat] ?? '', won, round.points[side]!, score,
        ]; // prettier-ignore
      }),
    ),
  );
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}

const KEY = 'rage.stats';
/** The most games kept; browsers allow a page about five million characters. */
const MAX_KEPT = 1500;

/** The games kept on this device, latest first. */
export function keptGames(): Kept[] {
  const kept = storedData(KEY);
  return Array.isArray(kept) ? kept.filter(isKept) : [];
}

function isKept(value: unknown): value is Kept {
  const game = value as Partial<Kept> | null;
  const { names, bots, sides, scores, winners, rounds } = game ?? {};
  const lists = [names, bots, sides, scores, winners, rounds];
  return typeof game?.id === 'string' && lists.every(Array.isArray) && game.scores!.length > 0;
}

/** Store the latest games. Returns whether the browser could. */
export function keepGames(games: readonly Kept[]): boolean {
  const last = [...games].sort((a, b) => b.ended - a.ended).slice(0, MAX_KEPT);
  return store(KEY, JSON.stringify(last));
}
