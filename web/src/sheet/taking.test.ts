import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rulesNamed } from '../offline/names';
import { newSheet } from '../offline/sheet';
import { nameFor } from './taking';

vi.mock('./where.svelte', () => ({}));
beforeEach(() => vi.stubEnv('TZ', 'Europe/Berlin'));
afterEach(() => vi.unstubAllEnvs());

it.each([
  ['2026-05-01T18:30:00Z', 'rage-2026-05-01.csv'],
  ['2026-05-01T22:30:00Z', 'rage-2026-05-02.csv'],
  ['2026-12-31T23:30:00Z', 'rage-2027-01-01.csv'],
  [undefined, 'rage-sheet.csv'],
  ['../evening', 'rage-sheet.csv'],
])('names a file after the day on which the game began here (%s)', (started, name) => {
  const extra = started === undefined ? {} : { started };
  expect(nameFor(newSheet(rulesNamed('poof'), ['Ann', 'Ben'], extra), '.csv')).toBe(name);
});
