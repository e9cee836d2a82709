// Which sheet of this device others may watch. What goes on there is in live/, which is loaded once
// there is one.

import { freshSecret, isShown, keepShown, keptShown, type KeptShown } from './kept';

class Shown {
  #kept: KeptShown | null = $state.raw(keptShown());
  /** Whether somebody wants to know how others get there. */
  asked = $state(false);

  constructor() {
    // What another tab shows, or shows no more, this one does not bring back.
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

  /** What proves its keeper. */
  get key(): string | null {
    return this.#kept?.key ?? null;
  }

  /** Show a game to others from now on, and no other. */
  begin(id: string): void {
    void this.end();
    this.#keep({ key: freshSecret(), id });
  }

  /** Whoever watches a game goes on with the one that comes after it. */
  follow(before: string, id: string): void {
    if (this.#kept?.id === before) this.#keep({ key: this.#kept.key, id });
  }

  /** Show none any more. The server is told, or else forgets it by itself. */
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
