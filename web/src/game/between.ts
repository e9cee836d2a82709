// Between two rounds: the summary is shown, and the next round may wait for that.

import type { BetweenData } from '../protocol.ts';
import type { TableView } from './types.ts';

/** Between rounds, before the next deal: what the table waits for, as the server says. */
export interface Between extends Readonly<BetweenData> {
  /** The number of the finished round. */
  readonly round: number;
}

/** For a next deal that does not wait, while the summary is still to be shown. */
const NO_WAIT: BetweenData = { ready: [], unready: [], until: null };

/** A table's state between two rounds; null during a round, and after the last one. */
export function betweenRounds({ game, between }: TableView): Between | null {
  const last = game?.rounds.at(-1);
  if (!game || game.over || !last?.points) return null;
  return { round: last.number, ...(between ?? NO_WAIT) };
}
