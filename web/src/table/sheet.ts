// The score sheet as numbers: rounds down, sides across.

import type { GameView, RoundView } from '../game/types';

export interface Cell {
  readonly bid: number | null;
  readonly won: number | null;
  readonly points: number | null;
  readonly total: number | null;
  readonly met: boolean | null;
  /** The points for Bonus and Mad cards, if listed separately. */
  readonly cards?: number;
}

export interface Line {
  readonly round: number;
  readonly hand: number;
  /** By side; `null` for a side that was absent. Empty for rounds to come. */
  readonly cells: readonly (Cell | null)[];
  /** The dealing side; `null` if unknown. */
  readonly dealer: number | null;
}

/** A line of a game without comings and goings. */
export interface FullLine extends Line {
  readonly cells: readonly Cell[];
}

/** The side of a seat in a game or replay; -1 if none. */
export function sideOf({ sides }: Pick<GameView, 'sides'>, seat: number | null): number {
  return sides.findIndex((seats) => seats.includes(seat ?? -1));
}

const sum = (list: readonly (number | null | undefined)[]): number | null =>
  list.some((each) => each == null) ? null : list.reduce<number>((all, each) => all + each!, 0);

function cell(
  round: RoundView,
  seats: readonly number[],
  side: number,
  before: number,
  won: readonly number[],
): Cell {
  const bid = sum(seats.map((seat) => round.bids[seat]));
  const tricks = sum(seats.map((seat) => (round.won ?? won)[seat]));
  const points = round.points?.[side] ?? null;
  const met = round.met?.includes(side) ?? null;
  return { bid, won: tricks, points, total: points === null ? null : before + points, met };
}

/** Every round of the schedule; rounds to come have no cells. */
export function sheet(game: GameView, schedule: readonly number[]): FullLine[] {
  const { sides } = game;
  const totals = sides.map(() => 0);
  return schedule.map((hand, i): FullLine => {
    const round = game.rounds.find((each) => each.number === i + 1);
    if (!round) return { round: i + 1, hand, cells: [], dealer: null };
    const cells = sides.map((seats, side) => cell(round, seats, side, totals[side]!, game.won));
    cells.forEach(({ total }, side) => (totals[side] = total ?? totals[side]!));
    return { round: i + 1, hand, cells, dealer: sideOf(game, round.dealer) };
  });
}

/** The data for a chart of the scores. */
export interface Scored {
  readonly scores: readonly number[];
  readonly rounds: readonly { readonly points: readonly number[] | null }[];
}

/** The running totals of each side, starting at 0. */
export function totals(game: Scored): number[][] {
  return game.scores.map((_, side) => {
    let total = 0;
    const over = game.rounds.filter((round) => round.points !== null);
    return [0, ...over.map((round) => (total += round.points![side] ?? 0))];
  });
}

/** Whether a round of a side is looked at. */
type Counts = (side: number, round: number) => boolean;

/** The players who met the most bids, grouped by how many rounds they played, and the best round of
 * those that count; empty or null without one. `nameIn`: who played for a side in a round. */
export function highlights(
  { rounds, sides }: Pick<GameView, 'rounds' | 'sides'>,
  nameIn: (side: number, round: number) => string,
  counts: Counts = () => true,
) {
  const over = rounds.filter(({ points }) => points !== null);
  const players = sides.flatMap((_, side) => {
    const names = over.map(({ number }) => nameIn(side, number));
    return [...new Set(names)].map((name) => {
      const played = over.filter((_, i) => names[i] === name);
      const n = played.filter(({ met }) => met?.includes(side)).length;
      return { name, n, of: played.length };
    });
  });
  const n = Math.max(1, ...players.map((each) => each.n));
  const most = players.filter((each) => each.n === n);
  const found = over.flatMap(({ number, points }) =>
    points!.map((each, side) => ({ number, side, points: each })),
  );
  const mine = found.filter(({ side, number }) => counts(side, number));
  const best = mine.sort((a, b) => b.points - a.points)[0] ?? null;
  return {
    met: [...new Set(most.map(({ of }) => of))].map((of) => ({
      names: most.filter((each) => each.of === of).map(({ name }) => name),
      n,
      of,
    })),
    round: best,
  };
}

/** What a finished game turned on: for its winners, or if `side` is -1, the round since which they
 * have led; for another side the round in which it lost most to the winner, and how much. Null
 * without one. */
export function turningPoint(
  game: Pick<GameView, 'rounds' | 'scores' | 'winners'>,
  side: number,
  counts: Counts = () => true,
): { readonly round: number; readonly lost: number } | null {
  const { rounds, winners } = game;
  const over = rounds.filter(({ points }) => points !== null);
  const [first] = winners ?? [];
  if (first === undefined || over.length < 2) return null;
  if (side >= 0 && !winners!.includes(side)) {
    const lost = over
      .filter(({ number }) => counts(side, number))
      .map(({ number, points }) => ({ round: number, lost: points![first]! - points![side]! }));
    return lost.sort((a, b) => b.lost - a.lost).find((each) => each.lost > 0) ?? null;
  }
  const lines = totals(game);
  const others = lines.filter((_, each) => !winners!.includes(each));
  const leads = (at: number) =>
    winners!.every((each) => others.every((other) => lines[each]![at]! > other[at]!));
  const behind = over.map((_, i) => i + 1).filter((at) => !leads(at));
  const since = over[behind.at(-1) ?? 0];
  return since && others.length ? { round: since.number, lost: 0 } : null;
}

/** The dash patterns of chart lines, which tell them apart without colour, as do the numbers at
 * their ends. */
export const DASHES = ['', '7 3', '2 3', '9 3 2 3', '5 2', '12 4', '2 5', '8 2 2 2', '1 2', '5 5'];

/** The y of each line's number: at the line's end, but moved off other numbers and not below
 * `lowest`. */
export function labelPlaces(
  ends: readonly number[],
  spacing: number,
  lowest: number,
): Map<number, number> {
  const sorted = ends.map((y, line) => ({ line, y })).sort((a, b) => a.y - b.y);
  sorted.forEach((end, i) => (end.y = Math.max(end.y, i ? sorted[i - 1]!.y + spacing : 8)));
  let limit = lowest;
  for (const end of sorted.reverse()) {
    end.y = Math.min(end.y, limit);
    limit = end.y - spacing;
  }
  return new Map(sorted.map(({ line, y }) => [line, y]));
}
