// How long each event is shown before the next, and in which stages.

import type { Settings } from '../settings.ts';
import type { Fact } from './types.ts';

/** How long another player's card flies, and a trick slides to its winner, in milliseconds. */
export const FLIGHT_MS = 280;

/** A stage of the end of a trick: its winner gets the crown, the reason is said, the cards slide to
 * the winner, and the trick is counted there. All other events have one stage: `counted`. */
export type Stage = 'crowned' | 'said' | 'swept' | 'counted';

/** How long a stage is shown, in milliseconds: usually, and at least, even with a large lag. */
export interface Held {
  readonly stage: Stage;
  readonly hold: number;
  readonly least: number;
}

/** By kind of fact, in milliseconds. */
const HOLD_MS: Readonly<Record<string, number>> = {
  played: 420,
  bids_shown: 400,
  trump_set: 700,
  round_over: 5000,
  dealt: 400,
};
/** For bids, if nothing follows them yet. */
const BRIEF_MS = 60;
/** For the fact that words were withheld. */
const WITHHELD_MS = 6000;
/** The crown, and then the reason by the setting for tricks: usually a second in all. */
const CROWN_MS = 250;
const SAID_MS: Readonly<Record<Settings['trick'], number>> = { short: 300, usual: 800, long: 1800 };
/** Sliding cards, with some extra time because slow phones start late; and the count afterwards. */
const SWEEP_MS = FLIGHT_MS + 40;
const COUNT_MS = 260;

/** The factor by which the setting for pace slows everything down. */
export const SLOWNESS: Readonly<Record<Settings['pace'], number>> = {
  slow: 1.8,
  usual: 1,
  quick: 0.5,
};

/** How long a flight takes at a pace, in milliseconds: a quick pace makes it shorter. */
export const flightAt = (pace: Settings['pace']): number => FLIGHT_MS * Math.min(1, SLOWNESS[pace]);

/** How long my only possible card waits before it plays itself. */
export const pauseAt = (pace: Settings['pace']): number => 600 * SLOWNESS[pace];

export interface Showing {
  /** Whether it is the latest event. */
  readonly last: boolean;
  /** My seat, as shown. */
  readonly seat: number | null;
  readonly bidding: boolean;
  readonly settings: Pick<Settings, 'pace' | 'trick'>;
}

/** The stages in which a fact is shown. The end of a round needs no time if the next round waits
 * for me. */
export function stagesOf(fact: Fact, showing: Showing): Held[] {
  const { pace, trick } = showing.settings;
  const slowness = SLOWNESS[pace];
  if (fact.type !== 'trick_won') {
    const hold = holdOf(fact, showing) * slowness;
    // A card has landed before the next one comes.
    const least = fact.type === 'played' ? Math.min(hold, flightAt(pace)) : 0;
    return [{ stage: 'counted', hold, least }];
  }
  const sweep = SWEEP_MS * Math.min(1, slowness);
  return [
    { stage: 'crowned', hold: CROWN_MS, least: CROWN_MS / 2 },
    { stage: 'said', hold: SAID_MS[trick], least: SAID_MS.short },
    { stage: 'swept', hold: sweep, least: sweep },
    { stage: 'counted', hold: COUNT_MS * slowness, least: COUNT_MS / 2 },
  ];
}

function holdOf(fact: Fact, { last, seat, bidding }: Showing): number {
  if (fact.type === 'played' && fact.hidden) return 0; // all at once
  if (last && fact.type === 'round_over' && seat !== null) return 0;
  if (last && fact.type === 'played' && bidding) return BRIEF_MS;
  if (fact.type === 'started' && fact.withheld?.length) return WITHHELD_MS;
  return HOLD_MS[fact.type] ?? 0;
}
