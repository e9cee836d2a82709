import { beforeEach, expect, it, vi } from 'vitest';
import { note, notesOn } from './witness.ts';
import { Shelf } from '../stored.shelf.ts';

const KEY = 'rage.witness';

beforeEach(() => void vi.stubGlobal('localStorage', new Shelf()));

it('keeps a note by table and game, and adds to it', () => {
  note('abc', 1, { commitment: 'c1', at: 1000 });
  note('abc', 2, { commitment: 'c2', at: 2000 });
  note('abc', 1, { words: ['owl'] });
  expect(notesOn('abc', 1)).toEqual({ commitment: 'c1', at: 1000, words: ['owl'] });
  expect(notesOn('abc', 2)?.commitment).toBe('c2');
  expect(notesOn('abcd', 1)).toBeNull();
});

it('keeps the last hundred', () => {
  for (let at = 1; at <= 130; at++) note('t', at, { commitment: `c${at}`, at });
  expect(notesOn('t', 130)?.at).toBe(130);
  expect(notesOn('t', 31)?.at).toBe(31);
  expect(notesOn('t', 30)).toBeNull();
});

it.each(['no JSON', '[]', '7', '{"abc/1": 5}', '{"abc/1": null}'])(
  'does without where storage holds %s',
  (text) => {
    localStorage.setItem(KEY, text);
    expect(notesOn('abc', 1)).toBeNull();
    note('abc', 1, { commitment: 'c', at: 1 });
    expect(notesOn('abc', 1)?.commitment).toBe('c');
  },
);

it('remembers for as long as the page is open where storage is full or closed', () => {
  const closed = () => {
    throw new Error('denied');
  };
  vi.stubGlobal('localStorage', { getItem: closed, setItem: closed });
  note('full', 1, { commitment: 'c', at: 1 });
  note('full', 1, { words: ['owl'] });
  expect(notesOn('full', 1)).toEqual({ commitment: 'c', at: 1, words: ['owl'] });
});
