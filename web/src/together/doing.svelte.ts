// Something that is being asked of the table: whether it is under way, and why it was refused.

import type { Ask } from './together.ts';

const LONG = 9000;

export class Doing {
  busy = $state(false);
  /** Why the last thing asked for was refused, for as long as it takes to read. */
  refused = $state('');
  readonly #ask: () => Ask;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: () => Ask) {
    this.#ask = ask;
  }

  /** Ask for something; whether it was done. One at a time. */
  async do(command: Parameters<Ask>[0]): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.#say('');
    try {
      const why = await this.#ask()(command);
      this.#say(why ?? '');
      return why === null;
    } finally {
      this.busy = false;
    }
  }

  #say(why: string): void {
    clearTimeout(this.#timer);
    this.refused = why;
    if (why) this.#timer = setTimeout(() => (this.refused = ''), LONG);
  }
}
