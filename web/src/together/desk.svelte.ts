// Which panel is open, what has been said, and how far it has been read. What was said is kept as
// long as the tab is open: a table tells it once.

import type { TableView } from '../game/types.ts';
import { nameIn } from './people.ts';
import type { Line } from './together.ts';

export type PanelName = 'chat' | 'people' | 'options' | 'claim';

interface Kept {
  readonly lines: readonly Line[];
  readonly read: number;
}

const MOST = 200;

export class Desk {
  open = $state<PanelName | null>(null);
  /** Everything that was said here, each line with the name that its speaker had. */
  lines = $state.raw<readonly Line[]>([]);
  /** The number of the last line that was seen. */
  read = $state(0);
  #from: Element | null = null;
  readonly #key = `rage.chat.${location.pathname}`;

  constructor() {
    const { lines, read } = this.#kept();
    [this.lines, this.read] = [lines, read];
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
  hear(lines: readonly Line[], table: TableView): void {
    const last = this.lines.at(-1)?.seq ?? 0;
    const fresh = lines
      .filter(({ seq }) => seq > last)
      .map((line) => ({ ...line, name: nameIn(line.person, table) }));
    if (fresh.length === 0) return;
    this.lines = [...this.lines, ...fresh].slice(-MOST);
    this.#keep();
  }

  /** All that was said has been seen. */
  see(): void {
    const last = this.lines.at(-1)?.seq ?? 0;
    if (last <= this.read) return;
    this.read = last;
    this.#keep();
  }

  #kept(): Kept {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.#key) ?? 'null') as Kept | null;
      return { lines: kept?.lines ?? [], read: kept?.read ?? 0 };
    } catch {
      return { lines: [], read: 0 };
    }
  }

  #keep(): void {
    try {
      const kept: Kept = { lines: this.lines, read: this.read };
      sessionStorage.setItem(this.#key, JSON.stringify(kept));
    } catch {
      // where nothing can be kept, a reload forgets
    }
  }
}
