// Commands in progress, and why the last one was refused.

import type { Ask } from './together.ts';

/** How long a refusal is shown, in milliseconds. */
const REFUSAL_MS = 9000;

export class Commands {
  /** Why the last command was refused, long enough to be read. */
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

  /** Send a command. Returns whether it was done. The same command is not sent again while in
   * progress, so a double tap does nothing. */
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
    if (why) this.#timer = setTimeout(() => (this.refused = ''), REFUSAL_MS);
  }
}
