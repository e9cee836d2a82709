// Which card a reaction is about.

import { split } from '../codes.ts';
import { lastTrick } from '../game/tricks.ts';
import type { GameView, ReactionData } from '../game/types.ts';

/** A card of a trick; round and trick count from 1. */
export type PlayedCard = Pick<ReactionData, 'round' | 'trick' | 'seat'>;

/** The code of a card that was played; null if this page has not drawn it yet. */
export function codeOf({ round, trick, seat }: PlayedCard, game: GameView): string | null {
  const { order = [], tricks } = game.rounds[round - 1] ?? {};
  const found = tricks?.[trick - 1];
  if (!found) return null;
  const after = order.indexOf(seat) - order.indexOf(found.leader);
  return split(found.moves)[(after + order.length) % order.length] ?? null;
}

/** The card of an element of the table: of the trick that lies there, or the one that won the last
 * trick; null if it is neither. */
export function cardAt({ dataset }: HTMLElement, game: GameView): PlayedCard | null {
  const { about, by, pending } = dataset;
  const round = game.rounds.at(-1);
  if (about === 'played' && by && !pending && round)
    return { round: round.number, trick: round.tricks.length, seat: Number(by) };
  const last = about === 'trick' ? lastTrick(game) : null;
  return last && { round: last.round.number, trick: last.index + 1, seat: last.trick.winner! };
}
