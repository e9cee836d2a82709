// Which panel is open, what has been said, and how far it has been read.

import type { SaidView } from '../game/types.ts';
import { store, stored } from '../stored';

export type PanelName = 'chat' | 'people' | 'options' | 'claim';

const MAX_LINES = 200;

export class Panels {
  open = $state<PanelName | null>(null);
  /** Everything that was said here: more than a table remembers. */
  lines = $state.raw<readonly SaidView[]>([]);
  /** The number of the last line that was seen. */
  read = $state(0);
  #from: Element | null = null;
  readonly #key = `rage.chat.${location.pathname}`;

  constructor() {
    this.read = this.#kept();
  }

  /** Open a panel, or close it where it is open. The focus comes back to where it was. */
  toggle(name: PanelName): void {
    if (this.open === name) return this.close();
    if (this.open === null) this.#from = document.activeElement;
    this.open = name;
  }

  close(): void {
    this.open = null;
    if (this.#from instanceof HTMLElement && this.#from.isConnected) this.#from.focus();
    this.#from = null;
  }

  /** Take in what is said now. */
  hear(lines: readonly SaidView[]): void {
    const last = this.lines.at(-1)?.number ?? 0;
    const fresh = lines.filter(({ number }) => number > last);
    if (fresh.length) this.lines = [...this.lines, ...fresh].slice(-MAX_LINES);
  }

  /** All that was said has been seen. */
  see(): void {
    const last = this.lines.at(-1)?.number ?? 0;
    if (last <= this.read) return;
    this.read = last;
    this.#keep();
  }

  #kept(): number {
    return Number(stored(this.#key, 'sessionStorage')) || 0;
  }

  #keep(): void {
    store(this.#key, String(this.read), 'sessionStorage');
  }
}
