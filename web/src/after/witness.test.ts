import { beforeEach, expect, it, vi } from 'vitest';
import { note, notedAt } from './witness.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

it('keeps when it was noted first', () => {
  note('abc', 1000);
  note('abc', 2000);
  expect(notedAt('abc')).toBe(1000);
  expect(notedAt('def')).toBeNull();
});

it('keeps the last hundred', () => {
  for (let at = 1; at <= 130; at++) note(`h${at}`, at);
  expect(notedAt('h130')).toBe(130);
  expect(notedAt('h31')).toBe(31);
  expect(notedAt('h30')).toBeNull();
});

it('notes nothing where there is nothing', () => {
  note('', 5);
  expect(kept.size).toBe(0);
});

it('does without where storage is closed, or holds something else', () => {
  kept.set('rage.commitments', 'no JSON');
  expect(notedAt('abc')).toBeNull();
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('denied');
    },
  });
  note('abc', 1);
  expect(notedAt('abc')).toBeNull();
});
