/** The six colours: their symbols and edge bands as path data.
 *
 * All drawings are path data that components put into the page, so that nothing is fetched and no
 * `url(#...)` is needed (which a `<base href>` would break in some browsers).
 */

import type { Colour } from '../codes.ts';

/** Symbols in a square of 24, filled and stroked with 2 in one colour (the stroke rounds them). */
export const SYMBOLS: Record<Colour, string> = {
  // flame: three tongues round a hollow
  R: 'M13 1.8C13.4 5.4 11.4 7.2 9.8 10 9.4 8.4 8.6 7.2 7 6.2 7.2 9.4 3.6 11.6 3.6 15.6 3.6 19.6 7 22.2 12 22.2S20.4 19.4 20.4 15.2C20.4 12.6 19.6 10.8 18.2 9.2 18.2 10.6 17.6 11.4 16.8 12 17 8 15.4 4.2 13 1.8ZM12.3 12.2C13.4 14.6 15.6 15.8 15.6 18.4 15.6 20.6 14 22.2 12 22.2 10 22.2 8.4 20.6 8.4 18.6 8.4 15.4 12.2 14.6 12.3 12.2Z',
  // sun: a disc and eight rays
  O: 'M16.4 12A4.4 4.4 0 1 1 7.6 12 4.4 4.4 0 0 1 16.4 12ZM12 3.5L12 1.4M18.01 5.99L19.5 4.5M20.5 12L22.6 12M18.01 18.01L19.5 19.5M12 20.5L12 22.6M5.99 18.01L4.5 19.5M3.5 12L1.4 12M5.99 5.99L4.5 4.5',
  // bolt
  Y: 'M14.2 2 5 13.2H10.6L8.8 22 19 9.8H13Z',
  // leaf: on a stem, pointing up to the right
  G: 'M21 3C11 5.6 6.2 10 6 18 14 17.8 18.4 13 21 3ZM6 18 2.4 21.6',
  // drop
  B: 'M12 1.8C12 1.8 6.6 10.4 6.6 15.8A5.4 5.4 0 0 0 17.4 15.8C17.4 10.4 12 1.8 12 1.8Z',
  // moon
  P: 'M11.4 3.0A9.4 9.4 0 1 0 21.0 13.1 7.0 7.0 0 1 1 11.4 3.0Z',
};

/** One line inside each large symbol, in the colour of the field. */
export const DETAILS: Record<Colour, string> = {
  R: '',
  O: 'M9.8 12A2.2 2.2 0 0 1 12 9.8',
  Y: 'M12.6 7 9.6 10.7',
  G: 'M8.2 15.8 14.6 9.4',
  B: 'M9.4 15.8A2.6 2.6 0 0 0 12 18.4',
  P: 'M5 12.4A6.6 6.6 0 0 0 9.6 18.7',
};

/** How far up the edge band of a card of 140 goes, and one step of it. */
const FROM = 13;
const TO = 127;

function repeat(step: number, draw: (y: number) => string): string {
  const count = Math.floor((TO - FROM) / step);
  const start = FROM + (TO - FROM - count * step) / 2;
  return Array.from({ length: count }, (_, i) => draw(start + i * step)).join('');
}

/** A dot: a small circle, which the stroke fills. */
const dot = (x: number, y: number): string => `M${x - 0.8} ${y}a.8.8 0 0 1 1.6 0a.8.8 0 0 1-1.6 0`;

/** The pattern of the edge band, in a column from x = 2.6 to 8 of a card of 100 by 140. */
export const BANDS: Record<Colour, string> = {
  R: repeat(6, (y) => `M2.8 ${y + 5}l5-5`),
  O: repeat(6.6, (y) => dot(5.2, y + 3.3)),
  Y: repeat(7.6, (y) => (y < FROM + 7 ? `M2.8 ${y}` : '') + 'l5 3.8l-5 3.8'),
  G: repeat(7.6, (y) => `M2.8 ${y + 5}l2.5-3l2.5 3`),
  B: repeat(14, (y) => (y < FROM + 13 ? `M5.3 ${y}` : '') + 'c4.6 3 3 5 0 7s-4.6 4 0 7'),
  P: repeat(9.5, (y) => `M2.8 ${y}l5 9.5M7.8 ${y}l-5 9.5`),
};
