// What has been opened at the table, beside it, over it or in front of it.

import type { TableStore } from '../game/table.svelte';
import type { Sheet } from './SidePanel.svelte';

export class Opened {
  /** What of the game is looked at: beside the table where there is room, else over it. */
  sheet: Sheet | null = $state(null);
  menu = $state(false);
  help = $state(false);
  rules = $state(false);
  /** What on the table is to be explained. */
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

  /** Whether I am given it. */
  get advising(): boolean {
    return this.advisable && this.advised === this.#store.moves.ply;
  }

  advise(): void {
    this.advised = this.#store.moves.ply;
  }
}
