// Which panel is open, and how far the chat has been read.

import type { MeView, SaidView } from '../game/types.ts';
import { store, stored } from '../stored';
import { heard } from './together.ts';

export type PanelName = 'chat' | 'people' | 'options' | 'claim';

export class Panels {
  open = $state<PanelName | null>(null);
  /** The number of the last line that was seen. */
  #read = $state(0);
  #from: Element | null = null;
  readonly #key = `rage.chat.${location.pathname}`;

  constructor() {
    this.#read = this.#kept();
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

  /** How many lines of others I have not seen; none, while I look at them. */
  unread(lines: readonly SaidView[], me: MeView): number {
    if (this.open === 'chat') return 0;
    const fresh = heard(lines, me).filter(
      ({ number, person }) => number > this.#read && person !== me.person,
    );
    return fresh.length;
  }

  /** All that was said has been seen. */
  see(lines: readonly SaidView[]): void {
    const last = lines.at(-1)?.number ?? 0;
    if (last <= this.#read) return;
    this.#read = last;
    this.#keep();
  }

  #kept(): number {
    return Number(stored(this.#key, 'sessionStorage')) || 0;
  }

  #keep(): void {
    store(this.#key, String(this.#read), 'sessionStorage');
  }
}
