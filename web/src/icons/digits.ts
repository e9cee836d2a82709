/** The numerals of the cards, drawn by us as lines, so that a rank looks alike on every machine
 * and two figures fit the visible strip of a fan.
 *
 * Each is `[width, path]` with centre lines in a box `width` by 12, to be stroked with 2.5.
 */
const FIGURES: Record<string, readonly [number, string]> = {
  '0': [7, 'M0 3.5A3.5 3.5 0 0 1 7 3.5V8.5A3.5 3.5 0 0 1 0 8.5Z'],
  '1': [3, 'M0 2.4 3 0V12'],
  '2': [7, 'M0 3.4A3.5 3.4 0 0 1 7 3.4C7 6.4 2.2 8.2 0 12H7'],
  '3': [
    7,
    'M.2 2.6C.9 1 2 0 3.6 0 5.4 0 6.6 1.2 6.6 2.9 6.6 4.6 5.4 5.7 3 5.7 5.6 5.7 7 6.9 7 8.8 7 10.7 5.6 12 3.5 12 1.8 12 .6 11.1 0 9.5',
  ],
  '4': [7.4, 'M4.4 0 0 8.6H7.4M5.6 5.2V12'],
  '5': [
    7,
    'M6.3 0H1.1L.6 5.4C1.4 4.7 2.4 4.4 3.4 4.4 5.6 4.4 7 5.9 7 8.1 7 10.4 5.6 12 3.4 12 1.8 12 .6 11.2 0 9.8',
  ],
  '6': [7, 'M5.6 0C3.6 1.2 0 4.6 0 8.4A3.5 3.6 0 0 0 7 8.4 3.5 3.5 0 0 0 .2 7.2'],
  '7': [7, 'M0 0H7L2.6 12'],
  '8': [
    7,
    'M3.5 0A3.1 2.8 0 0 1 3.5 5.6 3.1 2.8 0 0 1 3.5 0ZM3.5 5.6A3.5 3.2 0 0 1 3.5 12 3.5 3.2 0 0 1 3.5 5.6Z',
  ],
  '9': [7, 'M1.4 12C3.4 10.8 7 7.4 7 3.6A3.5 3.6 0 0 0 0 3.6 3.5 3.5 0 0 0 6.8 4.8'],
  '+': [6, 'M3 3V9M0 6H6'],
  '-': [5.6, 'M0 6H5.6'],
};

/** The stroke that belongs to the figures, and the gap between two. */
export const FIGURE_STROKE = 2.5;
const GAP = FIGURE_STROKE + 1;

export interface Figure {
  x: number;
  d: string;
}

/** The figures of a text of digits, `+` and `-`, each with its place, and the width of all
 * (centre lines). Throws for any other character. */
export function figures(text: string): { width: number; parts: Figure[] } {
  let x = 0;
  const parts: Figure[] = [];
  for (const character of text) {
    const figure = FIGURES[character];
    if (!figure) throw new Error(`no figure ${character}`);
    parts.push({ x, d: figure[1] });
    x += figure[0] + GAP;
  }
  return { width: x - GAP, parts };
}
