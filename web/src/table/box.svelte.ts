// The box that somebody at this device knows: with it the rules of a table are compared.

import { isCode } from '../say';
import { settings } from '../settings.svelte';
import { store, stored } from '../stored';

const KEPT = 'rage.box';

class Box {
  #chosen: string | null = $state(stored(KEPT));

  /** An edition: the one that was chosen, else the one played last, else that of the table. */
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
