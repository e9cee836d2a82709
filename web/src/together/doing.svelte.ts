// Something that is being asked of the table: whether it is under way, and why it was refused.

import type { Ask } from './together.ts';

export class Doing {
  busy = $state(false);
  refused = $state('');
  readonly #ask: () => Ask;

  constructor(ask: () => Ask) {
    this.#ask = ask;
  }

  /** Ask for something; whether it was done. One at a time. */
  async do(command: Parameters<Ask>[0]): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.refused = '';
    try {
      const why = await this.#ask()(command);
      this.refused = why ?? '';
      return why === null;
    } finally {
      this.busy = false;
    }
  }
}
