/** The numerals of the cards, drawn as lines, so that a rank looks the same on every machine and
 * two digits fit the visible strip of a fan. Each is `[width, path]`: centre lines in a box of
 * `width` by 12, to be stroked with 2.5. */
const FIGURES: Record<string, readonly [number, string]> = {
  '0': [6.4, 'M0 3.2A3.2 3.2 0 0 1 6.4 3.2V8.8A3.2 3.2 0 0 1 0 8.8Z'],
  '1': [2.8, 'M0 2.3 2.8 0V12'],
  '2': [6.4, 'M0 3.3A3.2 3.3 0 0 1 6.4 3.3C6.4 6.4 2 8.2 0 12H6.4'],
  '3': [
    6.4,
    'M.2 2.5C.8 1 1.9 0 3.3 0 5 0 6.1 1.2 6.1 2.9 6.1 4.6 5 5.7 2.8 5.7 5.1 5.7 6.4 6.9 6.4 8.8 6.4 10.7 5.1 12 3.2 12 1.7 12 .6 11.1 0 9.5',
  ],
  '4': [6.8, 'M4 0 0 8.6H6.8M5.2 5.2V12'],
  '5': [
    6.4,
    'M5.8 0H1L.6 5.4C1.3 4.7 2.2 4.4 3.1 4.4 5.1 4.4 6.4 5.9 6.4 8.1 6.4 10.4 5.1 12 3.1 12 1.7 12 .6 11.2 0 9.8',
  ],
  '6': [6.4, 'M5.1 0C3.3 1.2 0 4.6 0 8.5A3.2 3.5 0 0 0 6.4 8.5 3.2 3.4 0 0 0 .2 7.4'],
  '7': [6.4, 'M0 0H6.4L2.4 12'],
  '8': [
    6.4,
    'M3.2 0A2.9 2.8 0 0 1 3.2 5.6 2.9 2.8 0 0 1 3.2 0ZM3.2 5.6A3.2 3.2 0 0 1 3.2 12 3.2 3.2 0 0 1 3.2 5.6Z',
  ],
  '9': [6.4, 'M1.3 12C3.1 10.8 6.4 7.4 6.4 3.5A3.2 3.5 0 0 0 0 3.5 3.2 3.4 0 0 0 6.2 4.6'],
  '+': [5.6, 'M2.8 3.2V8.8M0 6H5.6'],
  '-': [5.2, 'M0 6H5.2'],
};

/** The stroke that belongs to the figures, and the gap between two. */
export const FIGURE_STROKE = 2.5;
const GAP = FIGURE_STROKE + 0.7;

export interface Figure {
  x: number;
  d: string;
}

/** The digits of a text, `+` and `-` included, each with its x, and the total width (centre lines).
 * Throws for any other character. */
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
