import { afterEach, expect, it, vi } from 'vitest';
import { store, readStored, storedData } from './stored';
import { Shelf } from './stored.shelf';

afterEach(() => vi.unstubAllGlobals());

it('keeps texts for all visits, or as long as the tab is open', () => {
  vi.stubGlobal('localStorage', new Shelf());
  vi.stubGlobal('sessionStorage', new Shelf());
  expect(store('a', '[1]')).toBe(true);
  expect(store('a', 'x', 'sessionStorage')).toBe(true);
  const texts = [readStored('a'), readStored('a', 'sessionStorage'), readStored('b')];
  expect(texts).toEqual(['[1]', 'x', null]);
  const data = [storedData('a'), storedData('a', 'sessionStorage'), storedData('b')];
  expect(data).toEqual([[1], null, null]);
});

it('has nothing where the browser keeps nothing', () => {
  const closed = () => {
    throw new Error('closed');
  };
  for (const storage of [{ getItem: closed, setItem: closed }, undefined]) {
    vi.stubGlobal('localStorage', storage);
    expect([readStored('a'), storedData('a'), store('a', 'b')]).toEqual([null, null, false]);
  }
});
