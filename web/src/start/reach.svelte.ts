// At which addresses others get to a table, or to a sheet that is shown to them.

import { apiUrl, get } from '../shell/api';
import { address } from '../shell/place.svelte';
import { isLocalhost } from './sharing';

export class Reach {
  readonly #of: () => string;
  readonly #server: string;
  /** The addresses of this machine in its networks, the likeliest first; null: not known yet. */
  #network: readonly string[] | null = $state.raw(null);
  /** Which of all addresses is shown: nobody knows in which network a friend is. */
  #shown = $state(0);

  /** `of`: the path below the server; `server`: where that begins, from the page on. */
  constructor(of: () => string, server = '') {
    this.#of = of;
    this.#server = server;
    void get<{ addresses: string[] }>('network').then(
      (answer) => (this.#network = answer.addresses),
      () => (this.#network = []),
    );
  }

  get #own(): string {
    return address(this.#server + this.#of());
  }

  /** All addresses of the server; null is the one of this page, where it is not only this device's. */
  get #all(): (string | null)[] {
    const network = this.#network ?? [];
    if (isLocalhost(this.#own) && network.length) return [...network];
    return [null, ...network.filter((each) => !this.#own.startsWith(`${each}/`))];
  }

  get #address(): string | null {
    return this.#all[this.#shown] ?? null;
  }

  /** What others can follow. */
  get link(): string {
    return this.#address === null ? this.#own : `${this.#address}/${this.#of()}`;
  }

  /** How many addresses there are, and the number of the one that is shown. */
  get count(): { all: number; n: number } {
    return { all: this.#all.length, n: this.#shown + 1 };
  }

  /** Show the next one. */
  next(): void {
    this.#shown = (this.#shown + 1) % this.#all.length;
  }

  /** Whether nobody else can follow any of them. */
  get alone(): boolean {
    return isLocalhost(this.link) && this.#network !== null;
  }

  /** The address of the link's QR code. */
  get qr(): string {
    return apiUrl('qr', { path: `/${this.#of()}`, at: this.#address }).href;
  }
}
