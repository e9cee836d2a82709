// A game on its way from the score sheet, which has no Python, to the page that opens games.

import { readStored, store } from '../stored.ts';

const GIVEN = 'rage.alone.given';

/** Give it a record. Returns whether the browser could keep it until then. */
export function give(record: string): boolean {
  return store(GIVEN, record, 'sessionStorage');
}

/** What was given, once; empty if nothing was. */
export function taken(): string {
  const record = readStored(GIVEN, 'sessionStorage') ?? '';
  if (record) store(GIVEN, '', 'sessionStorage');
  return record;
}
