// Places of players in finished or running games.

import type { GameLine } from '../protocol';

/** Places, from 1; ties share one. */
export function ranks(scores: readonly number[], winners: readonly number[] | null): number[] {
  return scores.map((score, side) => {
    if (winners?.includes(side)) return 1;
    const better = scores.filter(
      (each, other) => each > score || (winners?.includes(other) && each === score),
    );
    return better.length + 1;
  });
}

/** My place in a finished game, from 1; null if I watched. */
export function placeOf({ side, scores, winners }: Pick<GameLine, 'side' | 'scores' | 'winners'>) {
  return side === null ? null : (ranks(scores, winners)[side] ?? null);
}

/** Games played, games won. */
export function tally(games: readonly Pick<GameLine, 'side' | 'scores' | 'winners'>[]): {
  played: number;
  won: number;
} {
  const places = games.map(placeOf).filter((place) => place !== null);
  return { played: places.length, won: places.filter((place) => place === 1).length };
}
