// The table that I am at. Looking at the settings, or at a game that was played there, is not leaving:
// connection and turn signals end only when I do leave (shell/place).

import { myself } from '../shell/me.svelte.ts';
import { place, type Visit } from '../shell/place.svelte.ts';
import { TableStore } from './table.svelte.ts';

class TableVisit implements Visit {
  readonly store: TableStore;
  #close: (() => void) | null = null;
  #left = false;

  constructor(code: string) {
    this.store = new TableStore(code);
    // Visitors without a cookie are given one first.
    const open = () => {
      if (!this.#left) this.#close = this.store.open();
    };
    void myself.known().then(open, open);
  }

  get turn(): boolean {
    return this.store.turn !== null;
  }

  leave(): void {
    this.#left = true;
    this.#close?.();
    place.visit = null;
  }
}

/** The table with a code: the same store for as long as I am at it. */
export function tableAt(code: string): TableStore {
  if (place.visit instanceof TableVisit && place.visit.store.code === code)
    return place.visit.store;
  place.visit?.leave();
  const visit = new TableVisit(code);
  place.visit = visit;
  return visit.store;
}
