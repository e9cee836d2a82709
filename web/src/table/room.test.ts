import { expect, test } from 'vitest';
import { places } from './places.ts';
import {
  type Box,
  CORNER,
  meet,
  middleOf,
  seatBox,
  seatWidth,
  shapeFor,
  TALLNESS,
  trickIn,
} from './room.ts';

/** Felts from the smallest telephone to a desk: width, height, how high one of the others is. */
const FELTS = [
  [312, 205, 42],
  [312, 260, 42],
  [352, 300, 46],
  [382, 500, 46],
  [382, 430, 46],
  [500, 118, 25],
  [500, 104, 25],
  [780, 190, 25],
  [880, 450, 54],
  [1300, 700, 58],
] as const;
const COUNTS = [2, 3, 4, 5, 6, 7, 8];
const cases = FELTS.flatMap((felt) => COUNTS.map((players) => [...felt, players] as const));

test.each(cases)(
  'on %i by %i (others %i high) a trick of %i shows every corner',
  (width, height, high, players) => {
    const felt = { width, height };
    const wide = width >= 480 && width > height * 1.15;
    const shape = shapeFor(players - 1, felt, high, 208, wide);
    const seat = { width: seatWidth(players - 1, shape, felt, 208), height: high };
    const seats = places(players - 1, shape).map((place) => seatBox(place, felt, seat));
    for (const [i, one] of seats.entries()) {
      for (const next of seats.slice(i + 1)) expect(meet(one, next)).toBe(false);
    }
    const laid = trickIn(middleOf(seats, felt), players, 0.18 * width, 40);
    const cards = laid.spots.map(([x, y]): Box => {
      const [w, h] = [laid.width, laid.width * TALLNESS];
      return { left: x - w / 2, right: x + w / 2, top: y - h / 2, bottom: y + h / 2 };
    });
    // Those further right and further down lie above the others.
    const order = [...cards].sort((a, b) => a.left + a.top - b.left - b.top);
    for (const [i, card] of order.entries()) {
      for (const each of seats) expect(meet(card, each)).toBe(false);
      expect(card.top).toBeGreaterThanOrEqual(0);
      expect(card.bottom).toBeLessThanOrEqual(height);
      const { left, top } = card;
      const right = left + CORNER.width * laid.width;
      const bottom = top + CORNER.height * laid.width;
      for (const above of order.slice(i + 1)) {
        expect(meet({ left, top, right, bottom }, above)).toBe(false);
      }
    }
  },
);
