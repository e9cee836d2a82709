// What lies where on the cloth, in pixels: the others along its edge, and the middle that they leave
// for what was turned up and for the trick, of which every card shows its corner.

import { type Place, places, share, type Shape } from './places.ts';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How far the others sit from the edge. */
export const edgeOf = ({ height }: Size): number => (height < 140 ? 4 : 9);
/** The least between two things. */
const GAP = 4;
export const TALLNESS = 1.4;
/** Of a card's width: how wide and how high its corner is, with rank and symbol. */
export const CORNER = { width: 0.36, height: 0.5 };

/** Where one of the others is, in so much room. */
export function seatBox([x, y]: Place, room: Size, seat: Size): Box {
  const edge = edgeOf(room);
  const left = edge + (x / 100) * (room.width - 2 * edge - seat.width);
  const top = edge + (y / 100) * (room.height - 2 * edge - seat.height);
  return { left, top, right: left + seat.width, bottom: top + seat.height };
}

export function meet(a: Box, b: Box, gap = 0): boolean {
  const dx = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const dy = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return dx > -gap && dy > -gap;
}

/** How wide one of the others may be. */
export function seatWidth(others: number, shape: Shape, room: Size, most: number): number {
  return Math.min(most, share(others, shape) * (room.width - 2 * edgeOf(room)));
}

/** Whether nobody sits on anybody else. */
function fits(others: number, shape: Shape, room: Size, high: number, most: number): boolean {
  const seat = { width: seatWidth(others, shape, room, most), height: high };
  const boxes = places(others, shape).map((place) => seatBox(place, room, seat));
  return boxes.every((box, i) => boxes.slice(i + 1).every((next) => !meet(box, next, 1)));
}

/** How the others sit in so much room, each so high and at most so wide. */
export function shapeFor(others: number, room: Size, high: number, most: number, wide: boolean) {
  const shape: Shape = wide ? 'wide' : 'tall';
  if (fits(others, shape, room, high, most)) return shape;
  return wide ? 'strip' : 'packed';
}

/** How good a middle is: large, and high enough for a card. */
function worth({ left, top, right, bottom }: Box): number {
  const [across, down] = [Math.max(0, right - left), Math.max(0, bottom - top)];
  return across * down * (down < 58 || across < 100 ? 0.3 : 1);
}

/** What the others leave free: for each it is cut on one side, so that most is left in the end. */
export function middleOf(seats: readonly Box[], room: Size): Box {
  const edge = edgeOf(room);
  const [right, bottom] = [room.width - edge, room.height - edge];
  const whole: Box = { left: edge, top: edge, right, bottom };
  let best: Box | null = null;
  let most = 0;
  function cut(free: Box): void {
    const areaOf = (free.right - free.left) * (free.bottom - free.top);
    if (areaOf <= most || free.right < free.left) return;
    const seat = seats.find((each) => meet(free, each, GAP - 0.01));
    if (!seat) {
      if (worth(free) > most) [best, most] = [free, worth(free)];
      return;
    }
    cut({ ...free, top: seat.bottom + GAP });
    cut({ ...free, left: seat.right + GAP });
    cut({ ...free, right: seat.left - GAP });
    cut({ ...free, bottom: seat.top - GAP });
  }
  cut(whole);
  return best ?? whole;
}

/** Points of a rounded frame, evenly apart, clockwise from the middle of its lower side. */
function frame(count: number, across: number, down: number): Place[] {
  const round = (x: number) => Math.sign(x) * Math.sqrt(Math.abs(x));
  const fine = Array.from({ length: 721 }, (_, i): Place => {
    const angle = (i / 720) * 2 * Math.PI;
    return [-across * round(Math.sin(angle)), down * round(Math.cos(angle))];
  });
  const far = [0];
  fine.slice(1).forEach(([x, y], i) => {
    far.push(far[i]! + Math.hypot(x - fine[i]![0], y - fine[i]![1]));
  });
  return Array.from({ length: count }, (_, i) => {
    const at = (i / count) * far[720]!;
    return fine[far.findIndex((each) => each >= at)]!;
  });
}

/** In one row, with mine in its middle: where there is no height for more. */
function row(count: number, across: number): Place[] {
  const mine = Math.ceil((count - 1) / 2);
  return Array.from({ length: count }, (_, i) => {
    const at = i === 0 ? mine : i <= mine ? i - 1 : i;
    return [count === 1 ? 0 : across * ((2 * at) / (count - 1) - 1), 0];
  });
}

export interface Laid {
  /** How wide a card is. */
  readonly width: number;
  /** The middles of the cards: mine, then clockwise. */
  readonly spots: readonly Place[];
}

/** How the cards of a trick lie in the middle, each on its player's side; at most so wide. */
export function trickIn(free: Box, players: number, most: number, least: number): Laid {
  const [across, down] = [free.right - free.left, free.bottom - free.top];
  const many = players > 5;
  const fit = Math.min((many ? 0.36 : 0.44) * across, ((many ? 0.56 : 0.6) * down) / TALLNESS);
  // Where not even the least fits, it gives way a little.
  const tight = Math.max(0.78 * least, Math.min(least, across, down / TALLNESS - 2));
  const width = Math.max(tight, Math.min(most, fit));
  const dx = Math.max(0, Math.min((many ? 3 : 1.6) * width, (across - width) / 2));
  const dy = Math.max(0, Math.min((many ? 1.7 : 1.1) * width, (down - TALLNESS * width) / 2));
  const flat = 2 * dy < CORNER.height * width;
  const [x, y] = [(free.left + free.right) / 2, (free.top + free.bottom) / 2];
  return {
    width,
    spots: (flat ? row : frame)(players, dx, dy).map(([u, v]): Place => [x + u, y + v]),
  };
}
