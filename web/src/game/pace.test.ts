import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MAX_LAG, Pace } from './pace.ts';

let shown: [string, boolean][];
let idle: number;
let pace: Pace<string>;

beforeEach(() => {
  vi.useFakeTimers();
  [shown, idle] = [[], 0];
  pace = new Pace(
    (value, quick) => shown.push([value, quick]),
    () => (idle += 1),
  );
});
afterEach(() => vi.useRealTimers());
const step = (value: string, hold = 100) => ({ value, hold });

test('each is held before the next is shown', () => {
  pace.add([step('a'), step('b')]);
  expect(shown).toEqual([['a', false]]);
  vi.advanceTimersByTime(99);
  expect(shown).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(shown).toHaveLength(2);
  expect(idle).toBe(0);
  vi.advanceTimersByTime(100);
  expect(idle).toBe(1);
  expect(pace.busy).toBe(false);
});

test('a skip shows all that is left, once', () => {
  pace.add([step('a'), step('b'), step('c')]);
  pace.skip();
  expect(shown.map(([value]) => value)).toEqual(['a', 'b', 'c']);
  expect(shown.at(-1)).toEqual(['c', true]);
  vi.advanceTimersByTime(1000);
  expect(shown).toHaveLength(3);
  expect(idle).toBe(1);
});

test('it is never far behind', () => {
  pace.add(Array.from({ length: 100 }, (_, i) => step(String(i), 1000)));
  vi.advanceTimersByTime(6 * MAX_LAG);
  expect(shown.length).toBeGreaterThan(95);
});

test('what comes while one is held waits for it', () => {
  pace.add([step('a')]);
  pace.add([step('b')]);
  expect(shown).toHaveLength(1);
  vi.advanceTimersByTime(100);
  expect(shown).toHaveLength(2);
});

test('a motion ends before the next begins, however far behind', () => {
  pace.add(Array.from({ length: 20 }, (_, i) => ({ ...step(String(i), 1000), least: 280 })));
  vi.advanceTimersByTime(279);
  expect(shown).toHaveLength(1);
  vi.advanceTimersByTime(5000);
  expect(shown.length).toBeLessThan(19);
});

test('where that is not enough, it jumps to where nothing is under way', () => {
  const steps = Array.from({ length: 30 }, (_, i) => ({ ...step(String(i)), least: 280 }));
  pace.add(steps.map((each, i) => ({ ...each, whole: i === 11 || i === 19 })));
  expect(shown.map(([, quick]) => quick)).toEqual([...Array<boolean>(20).fill(true), false]);
});
