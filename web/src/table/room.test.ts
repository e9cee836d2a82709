import { expect, test } from 'vitest';
import {
  type Box,
  type Cloth,
  CORNER,
  faceOf,
  meet,
  rimIn,
  seatsIn,
  TALLNESS,
  topBoxes,
  trickIn,
} from './room.ts';

const cloth = (width: number, height: number, kind: Cloth['kind'] = 'arc', unit = 1): Cloth => ({
  width, height, kind, unit, top: (kind === 'flat' ? 44 : 48) * unit,
}); // prettier-ignore

/** Cloths from the smallest phone to a desk, down to the plate above the hand. */
const CLOTHS: Record<string, Cloth> = {
  '320x568': cloth(320, 330),
  '320x568, two rows of cards': cloth(320, 270),
  '360x640': cloth(360, 378),
  '375x553': cloth(375, 310),
  '390x664': cloth(390, 388),
  '390x844': cloth(390, 520),
  '568x320': cloth(568, 170, 'flat'),
  '844x390': cloth(844, 238, 'flat'),
  '640x512 (200 %)': cloth(640, 290),
  '768x1024': cloth(768, 650),
  '1280x800': cloth(930, 530, 'oval'),
  '1440x900': cloth(1084, 620, 'oval'),
  '3840x2160': cloth(3280, 1500, 'oval', 1.7),
};
const COUNTS = [2, 3, 4, 5, 6, 7, 8];
const cases = Object.keys(CLOTHS).flatMap((name) => COUNTS.map((n) => [name, n] as const));

test.each(cases)('on the cloth of %s %i players have a place each', (name, players) => {
  for (const [teams, large] of [
    [false, false],
    [true, false],
    [true, true],
  ]) {
    const on = { ...CLOTHS[name]!, large: large! };
    const seats = seatsIn(on, players - 1, teams);
    expect(seats).toHaveLength(players - 1);
    for (const [i, one] of seats.entries()) {
      for (const next of seats.slice(i + 1)) expect(meet(one, next)).toBe(false);
      for (const box of topBoxes(on))
        expect(meet(one.form === 'line' ? one : faceOf(one), box)).toBe(false);
      expect(one.left).toBeGreaterThanOrEqual(0);
      expect(one.right).toBeLessThanOrEqual(on.width);
      expect(one.bottom).toBeLessThanOrEqual(on.height);
      expect(one.right - one.left).toBeGreaterThanOrEqual(76);
    }
    const left = seats.filter((seat) => seat.right < on.width / 2).map(({ top }) => top);
    const right = seats.filter((seat) => seat.left > on.width / 2).map(({ top }) => top);
    expect(left).toEqual([...left].sort((a, b) => b - a));
    expect(right).toEqual([...right].sort((a, b) => a - b));
  }
});

test.each(cases)('on the cloth of %s a trick of %i shows every corner', (name, players) => {
  const on = CLOTHS[name]!;
  const seats = seatsIn(on, players - 1);
  const rim = rimIn(on);
  const taken = [...seats, ...topBoxes(on), ...(rim ? [rim.stock, rim.bids] : [])];
  const laid = trickIn(taken, on, players, Math.min(0.25 * on.width, 112 * on.unit));
  expect(laid.width).toBeGreaterThanOrEqual(players > 5 ? 34 : 42);
  const cards = laid.spots.map(([x, y]): Box => {
    const [w, h] = [laid.width, laid.width * TALLNESS];
    return { left: x - w / 2, right: x + w / 2, top: y - h / 2, bottom: y + h / 2 };
  });
  // Cards further right and down lie on top.
  const order = [...cards].sort((a, b) => a.left + a.top - b.left - b.top);
  for (const [i, card] of order.entries()) {
    for (const each of taken) expect(meet(card, each)).toBe(false);
    expect(card.top).toBeGreaterThanOrEqual(0);
    expect(card.bottom).toBeLessThanOrEqual(on.height);
    const { left, top } = card;
    const corner = {
      left,
      top,
      right: left + CORNER.width * laid.width,
      bottom: top + CORNER.height * laid.width,
    };
    for (const above of order.slice(i + 1)) expect(meet(corner, above)).toBe(false);
  }
});
