// How long each event is shown before the next.

import type { Fact } from './types.ts';

/** By kind of fact, in milliseconds. */
const HOLD_MS: Readonly<Record<string, number>> = {
  played: 270,
  bids_shown: 400,
  trump_set: 700,
  trick_won: 900,
  round_over: 5000,
  dealt: 400,
};
/** For my own moves and all bids, if nothing follows them yet. */
const BRIEF_MS = 60;
/** For a trick, with the setting for long tricks. */
const LONG_TRICK_MS = 2000;
/** For the fact that words were withheld. */
const WITHHELD_MS = 6000;

export interface Showing {
  /** Whether it is the latest event. */
  readonly last: boolean;
  /** My seat, as shown. */
  readonly seat: number | null;
  readonly bidding: boolean;
  /** Whether tricks stay long. */
  readonly long: boolean;
}

/** How long a fact is shown, in milliseconds. The end of a round needs no time if the next round
 * waits for me. */
export function holdOf(fact: Fact, { last, seat, bidding, long }: Showing): number {
  if (fact.type === 'played' && fact.hidden) return 0; // all at once
  if (last && fact.type === 'round_over' && seat !== null) return 0;
  if (last && fact.type === 'played' && (fact.seat === seat || bidding)) return BRIEF_MS;
  if (fact.type === 'started' && fact.withheld?.length) return WITHHELD_MS;
  if (fact.type === 'trick_won' && long) return LONG_TRICK_MS;
  return HOLD_MS[fact.type] ?? 0;
}
