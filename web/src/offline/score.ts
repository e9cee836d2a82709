// Scores of rounds, and winners: docs/rules.md, "Scoring a round", "Partnerships", "End".

import type { Settings } from './rules.ts';

type Scoring = Pick<Settings, 'exact' | 'exact_zero' | 'miss' | 'sweep'>;

/** The results of a seat in a round: its bid, and the tricks, Bonus and Mad cards it won. */
export interface Result {
  readonly bid: number;
  readonly won: number;
  readonly bonus?: number;
  readonly mad?: number;
}

/** Whether a side met its bid: it won exactly as many tricks as it bid. */
export function isMet({ bid, won }: Pick<Result, 'bid' | 'won'>): boolean {
  return bid === won;
}

/** The points of one side (a player, or a team with its sums) for a round of `hand` tricks. */
export function sidePoints(rules: Scoring, hand: number, side: Result): number {
  const { bid, won, bonus = 0, mad = 0 } = side;
  const swept = rules.sweep && won === hand && hand > 1;
  const tricks = swept ? 2 * won : won;
  const met = bid === 0 ? rules.exact_zero : rules.exact;
  return tricks + 5 * (bonus - mad) + (isMet(side) ? met : rules.miss);
}

/** The seats of each team; empty without teams. */
export function teamSides(teams: number | null, seats: number): number[][] {
  if (teams === null) return [];
  return Array.from({ length: teams }, (_, team) =>
    Array.from({ length: seats }, (_, at) => at).filter((at) => at % teams === team),
  );
}

/** The sums of each side, a seat or a team; seat `s` plays for team `s` modulo `teams`. */
export function sides(teams: number | null, seats: readonly Result[]): Required<Result>[] {
  const sums = Array.from({ length: teams ?? seats.length }, () => ({
    bid: 0,
    won: 0,
    bonus: 0,
    mad: 0,
  }));
  seats.forEach(({ bid, won, bonus = 0, mad = 0 }, seat) => {
    const side = sums[seat % sums.length]!;
    side.bid += bid;
    side.won += won;
    side.bonus += bonus;
    side.mad += mad;
  });
  return sums;
}

/** The sides with the most points; with `tie = exact_bids`, only those of them that met the most
 * bids (`met`, by side). */
export function winners(
  rules: Pick<Settings, 'tie'>,
  scores: readonly number[],
  met: readonly number[],
): number[] {
  const best = (of: readonly number[], among: number[]) => {
    const most = Math.max(...among.map((side) => of[side]!));
    return among.filter((side) => of[side] === most);
  };
  const first = best(scores, [...scores.keys()]);
  return rules.tie === 'exact_bids' ? best(met, first) : first;
}
