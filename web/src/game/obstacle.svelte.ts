// Why this page cannot reach its table although the server answers over HTTP, such as a proxy that
// blocks WebSockets; asked over HTTP, in the server's own words.

import { get, Refusal, send } from '../shell/api';
import { MUTE } from './socket.ts';

/** This many failed connections in a row before asking. */
const PATIENCE = 3;
/** The close code of a connection that was never opened. */
const NEVER_MADE = 1006;

export class Obstacle {
  /** The obstacle as a sentence; empty if none is known. */
  text = $state('');
  #found = '';
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  /** Note that a connection failed, the `tries`-th in a row. The obstacle found after the previous
   * attempt is shown only now, because a restarting server answers over HTTP just before it accepts
   * connections; the obstacle of a connection that stayed silent is shown at once. */
  failed(code: number, tries: number): void {
    if (__ALONE__ || (tries < PATIENCE && code !== MUTE)) return;
    this.text = this.#found;
    void this.#ask(code).then((found) => {
      this.#found = found;
      if (code === MUTE) this.text = found;
    });
  }

  /** Forget the obstacle: the connection is made. */
  pass(): void {
    this.text = this.#found = '';
  }

  async #ask(code: number): Promise<string> {
    try {
      // Sent as a page's own request, so that the server sees the same host and origin as in a
      // handshake.
      if (code === NEVER_MADE || code === MUTE) await send('POST', `../ws/${this.#table}`);
      else await get(`tables/${this.#table}`);
    } catch (error) {
      if (error instanceof Refusal && error.code) return error.message;
    }
    return '';
  }
}
