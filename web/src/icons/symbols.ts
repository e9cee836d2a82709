/** The six colours: their letters in records, and their symbols and edge bands as path data.
 *
 * All drawings are path data that components put into the page, so that nothing is fetched and no
 * `url(#...)` is needed (which a `<base href>` would break in some browsers).
 */

export type Letter = 'R' | 'O' | 'Y' | 'G' | 'B' | 'P';
export const LETTERS: readonly Letter[] = ['R', 'O', 'Y', 'G', 'B', 'P'];

/** Symbols in a square of 24, filled and stroked with 2 in one colour (the stroke rounds them). */
export const SYMBOLS: Record<Letter, string> = {
  // flame: two tongues, the taller one leaning over
  R: 'M13 2.2C13.4 6.2 11.2 8 9.6 10.4 9 9.3 8.3 8.4 7.2 7.8 7.4 10.8 4.6 12.4 4.6 15.8 4.6 19.3 7.9 21.8 12 21.8S19.4 19.3 19.4 15.4C19.4 10.2 14.6 8 13 2.2Z',
  // sun: a disc and eight rays
  O: 'M16.2 12A4.2 4.2 0 1 1 7.8 12 4.2 4.2 0 0 1 16.2 12ZM12 1.6V3.2M12 20.8V22.4M1.6 12H3.2M20.8 12H22.4M4.65 4.65 5.78 5.78M18.22 18.22 19.35 19.35M4.65 19.35 5.78 18.22M18.22 5.78 19.35 4.65',
  // bolt
  Y: 'M14.2 2 5 13.2H10.6L8.8 22 19 9.8H13Z',
  // leaf: on a stem, pointing up to the right
  G: 'M21 3C9.6 3.2 4.4 8 5.2 15 5.5 17.4 7 18.8 9.4 19 16.4 19.4 20.4 13.6 21 3ZM6.6 17.4 2.4 21.6',
  // drop
  B: 'M12 2.2C12 2.2 5.2 10 5.2 15A6.8 6.8 0 0 0 18.8 15C18.8 10 12 2.2 12 2.2Z',
  // moon
  P: 'M14.6 2.6A9.8 9.8 0 1 0 21.4 14.8 7.9 7.9 0 0 1 14.6 2.6Z',
};

/** One line inside each large symbol, in the colour of the field. */
export const DETAILS: Record<Letter, string> = {
  R: 'M9 17.2C9.2 15 11.6 14.6 12.4 12.2 14 13.6 15.2 15.2 15 17.2',
  O: 'M9.8 12A2.2 2.2 0 0 1 12 9.8',
  Y: 'M12.6 7 9.6 10.7',
  G: 'M6.6 17.4 15.6 8.6',
  B: 'M8.8 15A3.2 3.2 0 0 0 12 18.2',
  P: 'M6 13.4A6.2 6.2 0 0 0 10.8 18.6',
};

/** How far up the edge band of a card of 140 goes, and one step of it. */
const FROM = 13;
const TO = 127;

function repeat(step: number, draw: (y: number) => string): string {
  const count = Math.floor((TO - FROM) / step);
  const start = FROM + (TO - FROM - count * step) / 2;
  return Array.from({ length: count }, (_, i) => draw(start + i * step)).join('');
}

/** A dot as a line of no length: round caps draw it. */
const dot = (x: number, y: number): string => `M${x} ${y}h0`;

/** The pattern of the edge band, in a column from x = 2.6 to 8 of a card of 100 by 140. */
export const BANDS: Record<Letter, string> = {
  R: repeat(6, (y) => `M2.8 ${y + 5}l5-5`),
  O: repeat(6, (y) => dot(5.3, y + 3)),
  Y: repeat(9.5, (y) => (y < FROM + 9 ? `M2.9 ${y}` : '') + 'l4.8 4.75l-4.8 4.75'),
  G: repeat(7.6, (y) => `M2.8 ${y + 5}l2.5-3l2.5 3`),
  B: repeat(9.5, (y) => (y < FROM + 9 ? `M5.3 ${y}` : '') + 'q4.6 2.4 0 4.75t0 4.75'),
  P: repeat(9.5, (y) => `M2.8 ${y}l5 9.5M7.8 ${y}l-5 9.5`),
};
