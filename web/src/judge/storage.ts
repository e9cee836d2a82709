// What has been entered at the trick judge, for as long as the tab is open: it is there again after a
// look at the score sheet, and when the page is loaded anew.

import type { Colour } from '../codes.ts';
import { store, storedData } from '../stored.ts';

export interface Entered {
  /** The edition that was chosen here. */
  edition: string | null;
  moves: string[];
  hand: string[];
  /** `undefined`: not said yet. */
  trump?: Colour | null | undefined;
  ask: 'wins' | 'may';
  /** Whether the hand is tapped in, and not the trick. */
  filling: 'trick' | 'hand';
  anytime: boolean;
}

const KEY = 'rage.judge';

export function kept(): Entered {
  const found = storedData(KEY, 'sessionStorage') as Partial<Entered> | null;
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

export function keep(entered: Entered): void {
  store(KEY, JSON.stringify(entered), 'sessionStorage');
}
