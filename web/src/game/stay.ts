// The table one is at. Whoever looks at the settings from it, or at a game that was played there, is
// still here: the connection, and what tells of one's turn, end when one leaves (shell/place).

import { myself } from '../shell/me.svelte.ts';
import { place, type Stay } from '../shell/place.svelte.ts';
import { TableStore } from './table.svelte.ts';

class Staying implements Stay {
  readonly store: TableStore;
  #close: (() => void) | null = null;
  #left = false;

  constructor(code: string) {
    this.store = new TableStore(code);
    // Who has no cookie yet is given one first.
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
    place.stay = null;
  }
}

/** The table with a code: as one has left it, where one is at it still. */
export function tableAt(code: string): TableStore {
  if (place.stay instanceof Staying && place.stay.store.code === code) return place.stay.store;
  place.stay?.leave();
  const stay = new Staying(code);
  place.stay = stay;
  return stay.store;
}
