// What is open beside the table, over it, or in front.

import type { TableStore } from '../game/table.svelte';
import type { Sheet } from './SidePanel.svelte';

export class Opened {
  /** The open tab: beside the table if there is room, else over it. */
  sheet: Sheet | null = $state(null);
  menu = $state(false);
  help = $state(false);
  rules = $state(false);
  /** The element to explain. */
  asked: HTMLElement | null = $state.raw(null);
  /** The decision for which I want advice. */
  advised: number | null = $state(null);
  readonly #store: TableStore;

  constructor(store: TableStore) {
    this.#store = store;
  }

  /** Whether I may have advice now. */
  get advisable(): boolean {
    const { moves } = this.#store;
    return moves.turn?.advice === true && moves.mine;
  }

  /** Whether advice is shown. */
  get advising(): boolean {
    return this.advisable && this.advised === this.#store.moves.ply;
  }

  advise(): void {
    this.advised = this.#store.moves.ply;
  }
}
