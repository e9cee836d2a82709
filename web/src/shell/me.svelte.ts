// My id at the server, my name, and the sign that I have chosen.

import { t } from '../say';
import { get, send } from './api';
import type { Me } from '../protocol';

class Myself {
  person: string | null = $state(null);
  name = $state('');
  /** As the server stores it (`rage.table.people.signs`); empty for none. */
  sign = $state('');
  #asked: Promise<void> | null = null;
  #renaming: Promise<void> | null = null;

  /** Resolves once my id and name are known; a chosen name wins. */
  known(): Promise<void> {
    return this.#renaming ?? this.#ask();
  }

  /** Ask the server, once; without a name, get a friendly one. */
  #ask(): Promise<void> {
    this.#asked ??= get<Me>('me').then(
      (me) => this.#take(me),
      (error: unknown) => {
        this.#asked = null;
        throw error;
      },
    );
    return this.#asked;
  }

  #take(me: Me): void {
    this.person = me.person;
    this.sign = me.sign;
    this.name ||= me.name || friendlyName(me.person);
  }

  /** Change my name or my sign. */
  async rename(name: string, sign?: string): Promise<void> {
    const renaming = this.#rename(name, sign);
    this.#renaming = renaming;
    try {
      await renaming;
    } finally {
      if (this.#renaming === renaming) this.#renaming = null;
    }
  }

  async #rename(name: string, sign?: string): Promise<void> {
    await this.#ask();
    this.#take(await send<Me>('PUT', 'me', { name, ...(sign !== undefined && { sign }) }));
    this.name = name;
  }

  /** Ask again: another device has handed its person over. */
  async again(): Promise<void> {
    this.#asked = null;
    this.name = '';
    await this.#ask();
  }
}

export const myself = new Myself();

/** A name for a person who has not chosen one: always the same. */
function friendlyName(person: string): string {
  const names = t('page.names').split(', ');
  const sum = [...person].reduce(
    (total, letter) => (total * 31 + letter.charCodeAt(0)) % 65_521,
    0,
  );
  return names[sum % names.length] ?? '';
}
