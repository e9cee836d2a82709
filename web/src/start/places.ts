// How finished games went for one of their players.

import type { GameLine } from '../protocol';

/** On which side somebody sat: sides take turns round the table. `null`: only watched. */
export function sideOf({ seat, scores }: Pick<GameLine, 'seat' | 'scores'>): number | null {
  return seat === null || scores.length === 0 ? null : seat % scores.length;
}

/** My place, from 1: the winners are the first, whatever breaks their tie. */
export function placeOf(game: Pick<GameLine, 'seat' | 'scores' | 'winners'>): number | null {
  const side = sideOf(game);
  if (side === null) return null;
  if (game.winners.includes(side)) return 1;
  const mine = game.scores[side]!;
  const better = game.scores.filter((points, at) => points > mine || game.winners.includes(at));
  return better.length + 1;
}

/** Games played, games won. */
export function tally(games: readonly Pick<GameLine, 'seat' | 'scores' | 'winners'>[]): {
  played: number;
  won: number;
} {
  const places = games.map(placeOf).filter((place) => place !== null);
  return { played: places.length, won: places.filter((place) => place === 1).length };
}
