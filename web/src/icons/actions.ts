/** The drawings of the five action cards, as lines in a square of 24. */

/** A crown: the trump. */
export const CROWN = 'M4.2 19.5H19.8M4.6 15.8 3 7.6 8 10.8 12 5 16 10.8 21 7.6 19.4 15.8Z';

/** Wild: a prism of six rays, one per colour, from the top clockwise. Filled. */
export const RAYS: readonly string[] = [
  'M12 0.5L14.47 5.56 12 9.8 9.53 5.56Z',
  'M21.96 6.25L18.82 10.92 13.91 10.9 16.34 6.64Z',
  'M21.96 17.75L16.34 17.36 13.91 13.1 18.82 13.08Z',
  'M12 23.5L9.53 18.44 12 14.2 14.47 18.44Z',
  'M2.04 17.75L5.18 13.08 10.09 13.1 7.66 17.36Z',
  'M2.04 6.25L7.66 6.64 10.09 10.9 5.18 10.92Z',
];

/** Change: two arrows, round whatever stands in the middle. */
export const ARROWS =
  'M2.2 13.6A9.9 9.9 0 0 1 19.6 5.6M19.8 1.6V6H15.4M21.8 10.4A9.9 9.9 0 0 1 4.4 18.4M4.2 22.4V18H8.6';

/** Out: the line that strikes the crown. */
export const STRIKE = 'M2.6 21.4 21.4 2.6';

/** Mad: the 5 of the cracked -5 (in the box of the figures), its lower half broken off, and the
 * crack through it. */
export const BROKEN: readonly [string, string] = [
  'M5.8 0H1L.6 5.4C1.3 4.7 2.2 4.4 3.1 4.4',
  'M3.1 4.4C5.1 4.4 6.4 5.9 6.4 8.1 6.4 10.4 5.1 12 3.1 12 1.7 12 .6 11.2 0 9.8',
];
