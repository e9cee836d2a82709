// A game on its way from the score sheet, which has no Python, to the page that opens games.

import { readStored, store } from '../stored.ts';

const GIVEN = 'rage.alone.given';

/** Hand a record over. Returns whether the browser could keep it until then. */
export function give(record: string): boolean {
  return store(GIVEN, record, 'sessionStorage');
}

/** The record handed over, once; empty without one. */
export function taken(): string {
  const record = readStored(GIVEN, 'sessionStorage') ?? '';
  if (record) store(GIVEN, '', 'sessionStorage');
  return record;
}
