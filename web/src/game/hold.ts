// How long what has happened is shown, before what came next.

import type { Fact } from './types.ts';

/** For each kind of fact, in milliseconds. */
const HOLD_MS: Readonly<Record<string, number>> = {
  played: 270,
  bids_shown: 400,
  trump_set: 700,
  trick_won: 900,
  round_over: 5000,
  dealt: 400,
};
/** How long my own moves and all bids are shown, where nothing has come after them. */
const BRIEF_MS = 60;
/** How long a trick lies that is to lie long. */
const LONG_TRICK_MS = 2000;
/** How long it is shown who has withheld a word. */
const WITHHELD_MS = 6000;

export interface Showing {
  /** Whether nothing has come after it. */
  readonly last: boolean;
  /** Where I sit, as it is shown. */
  readonly seat: number | null;
  readonly bidding: boolean;
  /** Whether tricks are to lie long. */
  readonly long: boolean;
}

/** How long a fact is shown, in milliseconds. The end of a round after which the next one waits for
 * me needs no time. */
export function holdOf(fact: Fact, { last, seat, bidding, long }: Showing): number {
  if (fact.type === 'played' && fact.hidden) return 0; // all at once
  if (last && fact.type === 'round_over' && seat !== null) return 0;
  if (last && fact.type === 'played' && (fact.seat === seat || bidding)) return BRIEF_MS;
  if (fact.type === 'started' && fact.withheld?.length) return WITHHELD_MS;
  if (fact.type === 'trick_won' && long) return LONG_TRICK_MS;
  return HOLD_MS[fact.type] ?? 0;
}
