// The entries of the trick judge, kept while the tab is open: across visits to the score sheet and
// reloads.

import type { Colour } from '../codes.ts';
import { store, storedData } from '../stored.ts';

export interface Entry {
  /** The edition that was chosen here. */
  edition: string | null;
  moves: string[];
  hand: string[];
  /** `undefined` until chosen. */
  trump?: Colour | null | undefined;
  ask: 'wins' | 'may';
  /** Where the next tapped card goes. */
  filling: 'trick' | 'hand';
  anytime: boolean;
}

const KEY = 'rage.judge';

export function load(): Entry {
  const found = storedData(KEY, 'sessionStorage') as Partial<Entry> | null;
  return {
    edition: null,
    moves: [],
    hand: [],
    ask: 'wins',
    filling: 'trick',
    anytime: false,
    ...found,
  };
}

export function save(entered: Entry): void {
  store(KEY, JSON.stringify(entered), 'sessionStorage');
}
