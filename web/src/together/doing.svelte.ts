// Something that is being asked of the table: whether it is under way, and why it was refused.

import type { Ask } from './together.ts';

/** How long a refusal is to be read, in milliseconds. */
const LONG = 9000;

export class Doing {
  /** Why the last thing asked for was refused, for as long as it takes to read. */
  refused = $state('');
  #pending = $state<readonly string[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #ask: () => Ask;

  constructor(ask: () => Ask) {
    this.#ask = ask;
  }

  get busy(): boolean {
    return this.#pending.length > 0;
  }

  /** Ask for something; whether it was done. The same is not asked again while it is under way:
   * a second tap means nothing. */
  async do(command: Parameters<Ask>[0]): Promise<boolean> {
    const key = JSON.stringify(command);
    if (this.#pending.includes(key)) return false;
    this.#pending = [...this.#pending, key];
    this.#say('');
    try {
      const why = await this.#ask()(command);
      this.#say(why ?? '');
      return why === null;
    } finally {
      this.#pending = this.#pending.filter((each) => each !== key);
    }
  }

  #say(why: string): void {
    clearTimeout(this.#timer);
    this.refused = why;
    if (why) this.#timer = setTimeout(() => (this.refused = ''), LONG);
  }
}
