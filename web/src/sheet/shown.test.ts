import { afterEach, expect, it, vi } from 'vitest';
import { inNewTab, Shelf } from '../stored.shelf';

afterEach(() => vi.unstubAllGlobals());

const tab = () => inNewTab(() => import('./shown.svelte'));

it.each([
  ['storage', { key: 'rage.sheet-shown' }],
  ['storage', { key: null }],
  ['pageshow', { persisted: true }],
])('shows nothing any more once another tab has stopped that (%s)', async (type, event) => {
  vi.stubGlobal('localStorage', new Shelf());
  const [one, two] = [await tab(), await tab()];
  one.shown.begin('game');
  two.hear('storage', { key: 'rage.sheet-shown' });
  expect([two.shown.id, two.shown.key]).toEqual(['game', one.shown.key]);
  two.shown.asked = true;
  two.hear('storage', { key: 'rage.sheet.other' });
  two.hear('pageshow', { persisted: false });
  expect([two.shown.id, two.shown.asked]).toEqual(['game', true]);
  localStorage.removeItem('rage.sheet-shown');
  two.hear(type, event);
  expect([two.shown.id, two.shown.key, two.shown.asked]).toEqual([null, null, false]);
});
