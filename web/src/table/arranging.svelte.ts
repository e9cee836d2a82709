// Sorts the hand by touch, without dragging: the first touch lifts a card, the next puts it down.

import { store, storedData } from '../stored';

interface Order {
  readonly round: number;
  readonly ids: readonly string[];
}

/** The key of a player's own order at a table: stored while the tab is open, even through a
 * reload. */
const keyOf = (table: string) => `rage.hand.${table}`;

function kept(table: string): Order | null {
  const order = storedData(keyOf(table), 'sessionStorage') as Order | null;
  return Array.isArray(order?.ids) ? order : null;
}

export class Arranging {
  /** Whether a touch moves a card instead of playing it. */
  on = $state(false);
  /** The lifted card. */
  lifted = $state<string | null>(null);
  readonly #table: string;
  #order: Order | null = $state.raw(null);

  /** `table` is its code. */
  constructor(table: string) {
    this.#table = table;
    this.#order = kept(table);
  }

  /** The player's own order in a round; each round starts sorted. */
  order(round: number): readonly string[] | null {
    return this.#order?.round === round ? this.#order.ids : null;
  }

  keep(round: number, ids: readonly string[]): void {
    this.#order = { round, ids };
    store(keyOf(this.#table), JSON.stringify(this.#order), 'sessionStorage');
  }

  toggle(): void {
    this.on = !this.on;
    this.lifted = null;
  }

  /** Make touches play cards again. */
  end(): void {
    this.on = false;
    this.lifted = null;
  }

  /** Handle the touch of a card. Returns the card that goes to its place, if one was lifted before.
   * */
  touch(id: string): string | null {
    const { lifted } = this;
    this.lifted = lifted === null ? id : null;
    return lifted === id ? null : lifted;
  }
}
