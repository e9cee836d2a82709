// The addresses at which others reach a table, or a shown sheet.

import { apiUrl, get } from '../shell/api';
import { address } from '../shell/place.svelte';
import { isLocalhost } from './sharing';

export class Reach {
  readonly #of: () => string;
  readonly #server: string;
  /** This machine's addresses in its networks, likeliest first; null until known. */
  #network: readonly string[] | null = $state.raw(null);
  /** The index of the shown address: there is no telling which network a friend is in. */
  #shown = $state(0);

  /** `of`: the path below the server; `server`: the root of the server, relative to the page. */
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

  /** All addresses of the server; null stands for this page's own, if others can use it. */
  get #all(): (string | null)[] {
    const network = this.#network ?? [];
    if (isLocalhost(this.#own) && network.length) return [...network];
    return [null, ...network.filter((each) => !this.#own.startsWith(`${each}/`))];
  }

  get #address(): string | null {
    return this.#all[this.#shown] ?? null;
  }

  /** The link for others. */
  get link(): string {
    return this.#address === null ? this.#own : `${this.#address}/${this.#of()}`;
  }

  /** The number of addresses, and the number of the shown one. */
  get count(): { all: number; n: number } {
    return { all: this.#all.length, n: this.#shown + 1 };
  }

  /** Show the next one. */
  next(): void {
    this.#shown = (this.#shown + 1) % this.#all.length;
  }

  /** Whether no one else can open any address. */
  get alone(): boolean {
    return isLocalhost(this.link) && this.#network !== null;
  }

  /** The address of the link's QR code. */
  get qr(): string {
    return apiUrl('qr', { path: `/${this.#of()}`, at: this.#address }).href;
  }
}
