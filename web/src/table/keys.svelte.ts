// Single-letter keys that read something out or open it; each can be turned off (WCAG 2.1.4).

import { store, readStored } from '../stored';

export const KEYS = {
  h: 'hand',
  t: 'trick',
  l: 'last',
  s: 'scores',
  u: 'trump',
  b: 'bids',
  r: 'react',
  '?': 'help',
} as const;
export type Key = keyof typeof KEYS;
export type Reading = (typeof KEYS)[Key];
/** What a key reads out. */
export type ReadOut = Exclude<Reading, 'help' | 'react'>;

const KEPT = 'rage.keys';

class Keys {
  /** The keys that are off, as one string. */
  off = $state(readStored(KEPT) ?? '');

  isOn(key: string): boolean {
    return !this.off.includes(key);
  }

  set(key: string, on: boolean): void {
    this.off = this.off.replaceAll(key, '') + (on ? '' : key);
    store(KEPT, this.off);
  }
}

export const keys = new Keys();

/** The action of a key, if it is on and nothing is being typed. */
export function readingOf(event: KeyboardEvent): Reading | null {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return null;
  const key = event.key.toLowerCase();
  return key in KEYS && keys.isOn(key) ? KEYS[key as Key] : null;
}

/** Whether a key is a digit meant for the table. */
export function typesDigit(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return false;
  return /^\d$/.test(event.key);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement ||
      (target instanceof HTMLInputElement &&
        !['checkbox', 'radio', 'button'].includes(target.type)))
  );
}
