// The players' signs: a shape, a stone and two letters for each of eight seats. The shape
// identifies the player; the stone only helps. A team shares both, and shows its number.
//
// A player may choose all three (`rage.table.people.signs`: "35Zo" is shape 3, stone 5 and "Zo").
// Only this module resolves clashes: the first by seat gets the shape or stone, the other the next
// free one. Without a choice, it is the number of the seat, or the next free one.

import { visible } from '../say';

/** Outlines in a square of 48, by the number of a sign. */
export const SHAPES: readonly string[] = [
  // shield
  'M7.5 4H40.5Q43.5 4 43.5 7V23C43.5 34.5 35.5 42 24 46.5 12.5 42 4.5 34.5 4.5 23V7Q4.5 4 7.5 4Z',
  // diamond
  'M22 2.2Q24 .4 26 2.2L45.8 22Q47.6 24 45.8 26L26 45.8Q24 47.6 22 45.8L2.2 26Q.4 24 2.2 22Z',
  // hexagon
  'M22 2.2Q24 1 26 2.2L42.5 11.8Q44.4 13 44.4 15V33Q44.4 35 42.5 36.2L26 45.8Q24 47 22 45.8L5.5 36.2Q3.6 35 3.6 33V15Q3.6 13 5.5 11.8Z',
  // flower
  'M16.3 10.6A8.6 8.6 0 1 1 31.8 10.6A8.6 8.6 0 1 1 39.5 24.0A8.6 8.6 0 1 1 31.8 37.4A8.6 8.6 0 1 1 16.3 37.4A8.6 8.6 0 1 1 8.5 24.0A8.6 8.6 0 1 1 16.3 10.6Z',
  // disc
  'M24 3a21 21 0 1 1 0 42a21 21 0 1 1 0-42Z',
  // plaque
  'M13 3H35A10.5 10.5 0 0 0 45 13V35A10.5 10.5 0 0 0 35 45H13A10.5 10.5 0 0 0 3 35V13A10.5 10.5 0 0 0 13 3Z',
  // arch
  'M5 42V22A19 19 0 0 1 43 22V42Q43 45 40 45H8Q5 45 5 42Z',
  // tile
  'M10 4H38A6 6 0 0 1 44 10V38A6 6 0 0 1 38 44H10A6 6 0 0 1 4 38V10A6 6 0 0 1 10 4Z',
];

/** The numbers of teams, as on their banners. */
export const TEAMS: readonly string[] = ['I', 'II', 'III', 'IV'];

/** Which sign a seat has: its own, or its team's. */
export interface SignOf {
  /** The number of the shape, from 0. */
  readonly sign: number;
  /** The number of the stone, from 0. */
  readonly stone: number;
  /** The chosen letters; null for letters of the name. */
  readonly letters: string | null;
  /** The number of its team, from 0; null without teams. */
  readonly team: number | null;
}

type Sides = readonly (readonly number[])[];

/** The sign of a seat, given the sides (seats that score together) and the chosen signs by seat. */
export function signOf(seat: number, sides: Sides = [], chosen: readonly string[] = []): SignOf {
  const team = sides.findIndex((seats) => seats.length > 1 && seats.includes(seat));
  const own = (digit: number) => (team < 0 ? freeOf(chosen, digit, seat) : team) % SHAPES.length;
  const letters = chosen[seat]?.slice(2) || null;
  return { sign: own(0), stone: own(1), letters, team: team < 0 ? null : team };
}

/** The shape (`digit` 0) or the stone (1) of a seat. */
function freeOf(chosen: readonly string[], digit: number, seat: number): number {
  const order = chosen.map((_, at) => at);
  order.sort((a, b) => Number(!chosen[a]) - Number(!chosen[b]));
  const taken = new Set<number>();
  for (const at of order) {
    let found = Number(chosen[at]![digit] ?? at);
    while (taken.has(found)) found = (found + 1) % SHAPES.length;
    if (at === seat) return found;
    taken.add(found);
  }
  // The ninth player has the first shape again, on the second stone.
  return seat + digit * Math.floor(seat / SHAPES.length);
}

/** The sign of each side, with the name whose letters stand on it by default. */
export const signedSides = (
  sides: Sides,
  names: readonly string[],
  chosen: readonly string[] = [],
) => sides.map(([seat = 0]) => ({ ...signOf(seat, sides, chosen), signed: names[seat] ?? '' }));

/** A flag, or an emoji with its modifiers. */
const SIGN = /\p{RI}{2}|.[\p{M}\p{EMod}\u{e0020}-\u{e007f}]*/u;

/** Two letters or digits of a name, or one other character if it has none. */
export function lettersOf(name: string): string {
  const shown = visible(name);
  const letters = shown.match(/[\p{L}\p{N}]\p{M}*/gu) ?? [];
  return letters.slice(0, 2).join('') || SIGN.exec(shown.trim())?.[0] || '?';
}

/** The greatest width of letters on a sign, in its square of 48. */
export const WIDTH = 28;

let ruler: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** The width of letters as drawn on a sign; measured without showing them. */
export function widthOf(letters: string): number {
  const known = widths.get(letters);
  if (known !== undefined) return known;
  if (ruler === undefined) {
    ruler = document.createElement('canvas').getContext('2d');
    if (ruler) ruler.font = `750 18px ${getComputedStyle(document.body).fontFamily}`;
  }
  const width = ruler?.measureText(letters).width ?? 0;
  widths.set(letters, width);
  return width;
}
