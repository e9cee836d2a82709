// The sheet of this device that others may watch. The code for showing it is in live/, loaded once
// there is one.

import { freshSecret, isShown, keepShown, keptShown, type KeptShown } from './storage';

class Shown {
  #kept: KeptShown | null = $state.raw(keptShown());
  /** Whether the dialog with the link for others is open. */
  asked = $state(false);

  constructor() {
    // Follow what another tab shows or has stopped showing.
    addEventListener('storage', ({ key }) => {
      if (key === null || isShown(key)) this.#read();
    });
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#read();
    });
  }

  /** The game that others may watch. */
  get id(): string | null {
    return this.#kept?.id ?? null;
  }

  /** The key that proves its keeper. */
  get key(): string | null {
    return this.#kept?.key ?? null;
  }

  /** Show this game, and no other, to others. */
  begin(id: string): void {
    void this.end();
    this.#keep({ key: freshSecret(), id });
  }

  /** Viewers of a game are moved on to the next one. */
  follow(before: string, id: string): void {
    if (this.#kept?.id === before) this.#keep({ key: this.#kept.key, id });
  }

  /** Stop showing. If the server cannot be reached, it forgets the sheet by itself. */
  async end(): Promise<void> {
    const { key } = this;
    this.asked = false;
    this.#keep(null);
    if (!key) return;
    const { stop } = await import('./live/notices');
    await stop(key).catch(() => undefined);
  }

  #keep(kept: KeptShown | null): void {
    this.#kept = kept;
    keepShown(kept);
  }

  #read(): void {
    this.#kept = keptShown();
    if (!this.#kept) this.asked = false;
  }
}
export const shown = new Shown();
