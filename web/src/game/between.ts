// Between two rounds: how the round ended is looked at, and the next one may wait for that.

import type { BetweenData } from '../protocol.ts';
import type { TableView } from './types.ts';

/** Between rounds, while the next one has not been dealt: what it waits for, as the server says. */
export interface Between extends Readonly<BetweenData> {
  /** The number of the round that is over. */
  readonly round: number;
}

/** Where the next round does not wait, but is still to be shown. */
const NO_WAIT: BetweenData = { ready: [], unready: [], until: null };

/** What a table stands at between two rounds; null in a round, and after the last one. */
export function betweenRounds({ game, between }: TableView): Between | null {
  const last = game?.rounds.at(-1);
  if (!game || game.over || !last?.points) return null;
  return { round: last.number, ...(between ?? NO_WAIT) };
}
