import { expect, test } from 'vitest';
import { around, MINE, places, share } from './places.ts';

const COUNTS = [1, 2, 3, 4, 5, 6, 7];

test.each(COUNTS)('%i others have a place each, and none lies on another', (others) => {
  for (const shape of ['wide', 'tall'] as const) {
    const found = places(others, shape);
    expect(found).toHaveLength(others);
    for (const [i, [x, y]] of found.entries()) {
      for (const [u, v] of found.slice(i + 1)) {
        // A place is about a third of the width wide and an eighth of the height high.
        const narrow = shape === 'wide' ? 20 : 34;
        expect(Math.abs(x - u) >= narrow || Math.abs(y - v) >= 22).toBe(true);
      }
    }
  }
});

test.each(COUNTS)('%i others go from left to right in a strip, none beside the next', (others) => {
  const found = places(others, 'strip');
  expect(found).toHaveLength(others);
  const xs = found.map(([x]) => x);
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
  for (const row of [0, 100]) {
    const across = found.filter(([, y]) => y === row).map(([x]) => x);
    // Each begins after the one before has ended.
    const wide = share(others, 'strip');
    const left = across.map((x) => (x / 100) * (1 - wide));
    for (const [i, x] of left.slice(1).entries()) expect(x - left[i]!).toBeGreaterThan(wide);
  }
});

test.each(
  COUNTS.flatMap((others) =>
    (['tall', 'packed'] as const).map((shape) => [others, shape] as const),
  ),
)('%i others go clockwise, %s: up on my left, down on my right', (others, shape) => {
  const found = places(others, shape);
  expect(found).toHaveLength(others);
  const left = found.filter(([x]) => x < 50).map(([, y]) => y);
  const right = found.filter(([x]) => x > 50).map(([, y]) => y);
  expect(left).toEqual([...left].sort((a, b) => b - a));
  expect(right).toEqual([...right].sort((a, b) => a - b));
});

test('a table is seen from any seat', () => {
  const seen = around(4, 2, 'wide');
  expect(seen[2]).toBe(MINE);
  expect(seen[3]![0]).toBeLessThan(50);
  expect(seen[1]![0]).toBeGreaterThan(50);
});
