import { expect, test } from 'vitest';
import { cardWidth, fan, held, moved, STRIP } from './hand.ts';

test('two of a kind are told apart, and one on the table is left out', () => {
  const ids = held('X R3 X B4', null, null).map(({ id }) => id);
  expect(ids).toEqual(['R3#0', 'B4#0', 'X#0', 'X#1']);
  expect(held('X R3 X B4', 'X', null).map(({ id }) => id)).toEqual(['R3#0', 'B4#0', 'X#0']);
});

test('an order of one’s own is kept, and new cards come last', () => {
  const order = moved(['R3#0', 'B4#0', 'X#0'], 'X#0', 0);
  expect(order).toEqual(['X#0', 'R3#0', 'B4#0']);
  const cards = held('R3 B4 X P1', null, order).map(({ code }) => code);
  expect(cards).toEqual(['X', 'R3', 'B4', 'P1']);
  expect(moved(order, 'X#0', 99).at(-1)).toBe('X#0');
});

const ROOMS = [
  [304, 568],
  [374, 844],
  [560, 360],
  [900, 800],
  [2400, 2160],
] as const;

test.each(ROOMS)('in %i by %i every card of any hand can be told', (room, height) => {
  const width = cardWidth(room, height, 16);
  for (let count = 1; count <= 15; count++) {
    const { lies, raise } = fan(count, room, width);
    expect(lies).toHaveLength(count);
    for (const [i, { x, y }] of lies.entries()) {
      expect(x).toBeGreaterThanOrEqual(-0.01);
      expect(x + width).toBeLessThanOrEqual(room + 0.01);
      // Nor does a raised one cover the corner of one behind it.
      for (const front of lies.slice(i + 1)) {
        const covers = Math.abs(front.x - x) < width && front.y - y > width / 3;
        if (covers) expect(front.y - raise - y).toBeGreaterThanOrEqual(width / 2);
      }
      const next = lies[i + 1];
      if (next && Math.abs(next.y - y) < width / 3) {
        expect(next.x - x).toBeGreaterThanOrEqual(Math.min(STRIP - 1, width * 0.8));
      }
    }
  }
});
