// What keeps this page from its table while the server answers over HTTP, such as a proxy that lets no
// WebSocket through: asked over HTTP, and told in the server's own words.

import { get, Refusal, send } from '../shell/api';

/** So many connections in a row fail without a question. */
const PATIENCE = 3;
/** With which code a browser closes a connection that was never made. */
const NEVER_MADE = 1006;

export class Obstacle {
  /** What is in the way; empty: nothing that is known. */
  text = $state('');
  #found = '';
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  /** Another connection has failed, the `tries`-th in a row. What was found after the one before is
   * in the way only now: a server that restarts answers over HTTP just before it is connected to. */
  failed(code: number, tries: number): void {
    if (tries < PATIENCE) return;
    this.text = this.#found;
    void this.#ask(code).then((found) => (this.#found = found));
  }

  /** The table is connected. */
  pass(): void {
    this.text = this.#found = '';
  }

  async #ask(code: number): Promise<string> {
    try {
      // As a page's own request, so that the server sees what a handshake shows: host and origin.
      if (code === NEVER_MADE) await send('POST', `../ws/${this.#table}`);
      else await get(`tables/${this.#table}`);
    } catch (error) {
      if (error instanceof Refusal && error.code) return error.message;
    }
    return '';
  }
}
