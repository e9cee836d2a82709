// At which addresses others get to a table, or to a sheet that is shown to them.

import { apiUrl, get } from '../shell/api';
import { address } from '../shell/place.svelte';
import { isLocalhost } from './sharing';

export class Reach {
  readonly #of: () => string;
  readonly #server: string;
  /** The addresses of this machine in its networks; null: not known yet. */
  #network: readonly string[] | null = $state.raw(null);

  /** `of`: the path below the server; `server`: where that begins, from the page on. */
  constructor(of: () => string, server = '') {
    this.#of = of;
    this.#server = server;
    void get<{ addresses: string[] }>('network').then(
      (answer) => (this.#network = answer.addresses),
      () => (this.#network = []),
    );
  }

  /** What others can follow: an address of the home network, where this one means only this device. */
  get link(): string {
    const own = address(this.#server + this.#of());
    return isLocalhost(own) && this.#network?.[0] ? `${this.#network[0]}/${this.#of()}` : own;
  }

  /** A machine in several networks has several; nobody knows which one a friend is in. */
  get more(): string[] {
    const all = (this.#network ?? []).map((each) => `${each}/${this.#of()}`);
    return all.filter((each) => each !== this.link);
  }

  /** Whether nobody else can follow any of them. */
  get alone(): boolean {
    return isLocalhost(this.link) && this.#network !== null;
  }

  /** The address of the link's QR code. */
  get qr(): string {
    return apiUrl('qr', { path: `/${this.#of()}` }).href;
  }
}
