// The tricks of a game: who played which card, and which trick was the last.

import type { GameView, RoundView, TableView, TrickView } from './types.ts';

/** The seat that played a card of a trick, counting from 0. */
export function seatIn({ order }: RoundView, { leader }: TrickView, card: number): number {
  return order[(order.indexOf(leader) + card) % order.length]!;
}

/** A trick with its round, and its index there from 0. */
export interface LastTrick {
  readonly round: RoundView;
  readonly index: number;
  readonly trick: TrickView;
}

/** The last finished trick, also of the round before; null if there is none. */
export function lastTrick({ rounds }: GameView): LastTrick | null {
  const all = rounds.flatMap((round) =>
    round.tricks.map((trick, index) => ({ round, index, trick })),
  );
  return all.filter(({ trick }) => trick.winner !== null).at(-1) ?? null;
}

/** A table after a trick was won, but with the tricks, and the cards in them, that its players had
 * before: shown while the trick is on its way to its winner. */
export function uncounted(after: TableView, { game: before }: TableView): TableView {
  if (!after.game || !before) return after;
  const { won, bonus, mad } = before;
  return { ...after, game: { ...after.game, won, bonus, mad } };
}
