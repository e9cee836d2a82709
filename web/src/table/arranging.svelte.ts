// Putting one's hand in order without dragging: a touch takes a card up, the next puts it down.

interface Order {
  readonly round: number;
  readonly ids: readonly string[];
}

/** The last order of one's own at each table: who looks at the settings finds it again. */
const orders = new WeakMap<object, Order>();

export class Arranging {
  /** Whether a touch of a card moves it, instead of playing it. */
  on = $state(false);
  /** Which card was touched first. */
  lifted = $state<string | null>(null);
  readonly #table: object;
  #order: Order | null = $state.raw(null);

  constructor(table: object) {
    this.#table = table;
    this.#order = orders.get(table) ?? null;
  }

  /** The order of one's own in a round. The next begins sorted: cards that come again say nothing
   * of where they should lie then. */
  order(round: number): readonly string[] | null {
    return this.#order?.round === round ? this.#order.ids : null;
  }

  keep(round: number, ids: readonly string[]): void {
    this.#order = { round, ids };
    orders.set(this.#table, this.#order);
  }

  toggle(): void {
    this.on = !this.on;
    this.lifted = null;
  }

  /** A card was touched; the one that goes to its place, if one was lifted before. */
  touch(id: string): string | null {
    const { lifted } = this;
    this.lifted = lifted === null ? id : null;
    return lifted === id ? null : lifted;
  }
}
