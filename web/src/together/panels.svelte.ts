// The open panel, and how far the chat has been read.

import type { MeView, SaidView } from '../game/types.ts';
import { store, readStored } from '../stored';
import { linesHeard } from './together.ts';

export type PanelName = 'chat' | 'people' | 'options' | 'claim';

export class Panels {
  open = $state<PanelName | null>(null);
  /** The number of the last line read. */
  #read = $state(0);
  #from: Element | null = null;
  readonly #key = `rage.chat.${location.pathname}`;

  constructor() {
    this.#read = this.#kept();
  }

  /** Open a panel, or close it if open. The focus then returns to where it was. */
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

  /** How many of the others' lines are unread; none while the chat is open. */
  unread(lines: readonly SaidView[], me: MeView): number {
    if (this.open === 'chat') return 0;
    const fresh = linesHeard(lines, me).filter(
      ({ number, person }) => number > this.#read && person !== me.person,
    );
    return fresh.length;
  }

  /** Mark all lines as read. */
  see(lines: readonly SaidView[]): void {
    const last = lines.at(-1)?.number ?? 0;
    if (last <= this.#read) return;
    this.#read = last;
    this.#keep();
  }

  #kept(): number {
    return Number(readStored(this.#key, 'sessionStorage')) || 0;
  }

  #keep(): void {
    store(this.#key, String(this.#read), 'sessionStorage');
  }
}
