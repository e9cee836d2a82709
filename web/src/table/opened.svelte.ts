// The parts that are open beside the table, over it, or in front.

import type { TableStore } from '../game/table.svelte';
import { settings } from '../settings.svelte';
import { isAlone } from './again.svelte';
import type { Sheet } from './SidePanel.svelte';

/** The cards of the trick that stay there. */
const LYING = '[data-played]:not([data-pending], :has([inert]))';

export class Opened {
  /** The open tab: beside the table if there is room, else over it. */
  sheet: Sheet | null = $state(null);
  menu = $state(false);
  help = $state(false);
  rules = $state(false);
  /** The element to explain, and whether it was opened for a reaction. */
  asked: HTMLElement | null = $state.raw(null);
  reacting = $state(false);
  /** The decision for which I want advice. */
  advised: number | null = $state(null);
  readonly #store: TableStore;

  constructor(store: TableStore) {
    this.#store = store;
  }

  /** Whether there is a card to react to, and anyone to see it. */
  get reactable(): boolean {
    const begun = this.#store.game?.rounds.some(({ tricks }) => tricks.length) ?? false;
    return settings.reactions && begun && !isAlone(this.#store);
  }

  /** React to the last card that lies there, or to the last trick. */
  react(): void {
    if (!this.reactable) return;
    if (this.#store.table!.me!.silenced) return this.#store.refuse({ code: 'table.looking' });
    const cards = document.querySelectorAll<HTMLElement>(LYING);
    this.asked = [...cards].at(-1) ?? document.querySelector<HTMLElement>('.trick');
    this.reacting = true;
  }

  /** Stop explaining. */
  leave(): void {
    this.asked = null;
    this.reacting = false;
  }

  /** Whether advice is available to me now. */
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
