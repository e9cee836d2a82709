// The edition that the reader knows, with which the rules of a table are compared.

import { isCode } from '../say';
import { settings } from '../settings.svelte';
import { store, readStored } from '../stored';

const KEPT = 'rage.box';

class Box {
  #chosen: string | null = $state(readStored(KEPT));

  /** The chosen edition, the last one played, or else the table's. */
  beside(edition: string): string {
    if (this.#chosen !== null && isCode(`edition.${this.#chosen}`)) return this.#chosen;
    return settings.last?.rules.split('+')[0] ?? edition;
  }

  choose(edition: string): void {
    this.#chosen = edition;
    store(KEPT, edition);
  }
}

export const box = new Box();
