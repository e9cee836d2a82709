// The table that I am at. Opening the settings or a game that was played there is not leaving it:
// connection and turn signals end only when I do leave (shell/place).

import { myself } from '../shell/me.svelte.ts';
import { place, type Visit } from '../shell/place.svelte.ts';
import { TableStore } from './table.svelte.ts';

/** Open a table; visitors without a cookie get one first. Returns a function that ends the visit.
 * */
export function openVisit(store: TableStore): () => void {
  let close: (() => void) | null = null;
  let over = false;
  const open = () => {
    if (!over) close = store.open();
  };
  void myself.known().then(open, open);
  return () => {
    over = true;
    close?.();
  };
}

class TableVisit implements Visit {
  readonly store: TableStore;
  readonly #close: () => void;

  constructor(code: string) {
    this.store = new TableStore(code);
    this.#close = openVisit(this.store);
  }

  get turn(): boolean {
    return this.store.moves.turn !== null;
  }

  leave(): void {
    this.#close();
    place.visit = null;
  }
}

/** The table with a code; the same store as long as I am there. */
export function tableAt(code: string): TableStore {
  if (place.visit instanceof TableVisit && place.visit.store.code === code)
    return place.visit.store;
  place.visit?.leave();
  const visit = new TableVisit(code);
  place.visit = visit;
  return visit.store;
}
