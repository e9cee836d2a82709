// Whether the coach speaks on this device, and what it has taught already.
//
//     coaching.on                 whether hints are shown
//     coaching.turn(false)        no more hints, for good; `true` calls the coach again
//     coaching.lit                the cards, seats and bid that the shown hint is about

import { settings } from '../settings.svelte';
import { store, storedData } from '../stored';

const KEY = 'rage.coach';

/** What a hint refers to. */
export interface Lit {
  readonly cards: readonly string[];
  readonly seats: readonly number[];
  readonly bid: number | null;
}

class Coaching {
  /** Whether a game was finished on this device; on a new device, whether one was begun. */
  played: boolean = $state(settings.last !== null);
  /** Whether hints are wanted; null if not chosen. */
  hints: boolean | null = $state(null);
  lit: Lit | null = $state.raw(null);
  taught: readonly string[] = [];
  /** The kinds of reasons why a trick was won that were read here. */
  reasons: readonly string[] = [];

  constructor() {
    Object.assign(this, storedData(KEY));
    this.keep();
  }

  get on(): boolean {
    return this.hints ?? !this.played;
  }

  /** Turn hints off for good, or start them again with the first lesson. */
  turn(on: boolean): void {
    this.keep({ hints: on, ...(on && { taught: [], reasons: [] }) });
  }

  /** Store changes. */
  keep(changed: Partial<Coaching> = {}): void {
    Object.assign(this, changed);
    const { played, hints, taught, reasons } = this;
    store(KEY, JSON.stringify({ played, hints, taught, reasons }));
  }
}

export const coaching = new Coaching();
