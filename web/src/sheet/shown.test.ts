import { afterEach, expect, it, vi } from 'vitest';
import { Shelf } from '../stored.shelf';

afterEach(() => vi.unstubAllGlobals());

/** The page in a tab, with a function that passes it events of the browser. */
async function tab() {
  const listening: [type: string, listener: (event: object) => void][] = [];
  vi.stubGlobal('addEventListener', (...each: (typeof listening)[0]) => listening.push(each));
  vi.resetModules();
  const { shown } = await import('./shown.svelte');
  const hear = (type: string, event: object) =>
    listening.forEach(([each, listener]) => each === type && listener(event));
  return { shown, hear };
}

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
