import { expect, test } from 'vitest';
import { layoutOf } from '../layout.ts';
import { fan, cardsInHand, mostHigh, moveId, STRIP } from './hand.ts';

test('two of a kind are told apart, and one on the table is left out', () => {
  const ids = cardsInHand('X R3 X B4', null, null).map(({ id }) => id);
  expect(ids).toEqual(['R3#0', 'B4#0', 'X#0', 'X#1']);
  expect(cardsInHand('X R3 X B4', 'X', null).map(({ id }) => id)).toEqual(['R3#0', 'B4#0', 'X#0']);
});

test('an order of one’s own is kept, and new cards come last', () => {
  const order = moveId(['R3#0', 'B4#0', 'X#0'], 'X#0', 0);
  expect(order).toEqual(['X#0', 'R3#0', 'B4#0']);
  const cards = cardsInHand('R3 B4 X P1', null, order).map(({ code }) => code);
  expect(cards).toEqual(['X', 'R3', 'B4', 'P1']);
  expect(moveId(order, 'X#0', 99).at(-1)).toBe('X#0');
});

test('trumps lie apart, if that is wanted', () => {
  const codes = (apart: string | null) =>
    cardsInHand('G4 R3 R9 B4 X', null, null, apart).map((c) => c.code);
  expect(codes('R')).toEqual(['G4', 'B4', 'X', 'R9', 'R3']);
  expect(codes(null)).toEqual(['R9', 'R3', 'G4', 'B4', 'X']);
});

const ROOMS = [
  [304, 568],
  [390, 844],
  [560, 360],
  [900, 800],
  [2400, 2160],
] as const;

const HANDS = ROOMS.flatMap((room) => [0, 4, 8].map((larger) => [...room, larger] as const));

test.each(HANDS)(
  'in %i by %i every card of any hand can be told (larger: %i)',
  (room, height, n) => {
    const { card } = layoutOf({ width: room, height, text: 16 }).sizes;
    const most = n ? mostHigh(height, n, height < 720) : 0;
    for (let count = 1; count <= 15; count++) {
      const { positions, raise, width, height: high } = fan(count, room, card, most);
      if (most) expect(high).toBeLessThanOrEqual(Math.max(most, fan(count, room, card).height) + 2);
      expect(positions).toHaveLength(count);
      for (const [i, { x, y, tilt }] of positions.entries()) {
        const lean = Math.abs(Math.sin((tilt * Math.PI) / 180)) * 1.3 * 1.4 * width;
        expect(x - lean).toBeGreaterThanOrEqual(-0.01);
        expect(x + width + lean).toBeLessThanOrEqual(room + 0.01);
        const next = positions[i + 1];
        // Of two rows, the one in front leaves the corners of the other free, raised or not.
        for (const front of positions.slice(i + 1))
          if (front.y - y > width / 3)
            expect(front.y - raise - y).toBeGreaterThanOrEqual(width * 0.5);
        if (next && Math.abs(next.y - y) < width / 3)
          expect(next.x - x).toBeGreaterThanOrEqual(Math.min(STRIP.least, width * 0.8) - 0.01);
      }
    }
  },
);

test('where many sit at a low cloth there is no room for larger cards', () => {
  expect(mostHigh(640, 6, true)).toBe(0);
  expect(mostHigh(640, 4, true)).toBeGreaterThan(0);
  expect(mostHigh(844, 8, false)).toBeLessThan(mostHigh(844, 6, false));
});
