/** The drawings of the five action cards, as lines in a square of 24. */

/** A crown: the trump. */
export const CROWN = 'M4.2 19.5H19.8M4.6 15.8 3 7.6 8 10.8 12 5 16 10.8 21 7.6 19.4 15.8Z';

/** Wild: a prism, from which six rays go out, one a colour, from the top clockwise. */
export const PRISM = 'M12 8.6 15 13.7H9Z';
export const RAYS: readonly string[] = [
  'M12 5.2V1.6',
  'M17.2 9 20.4 7.2',
  'M17.2 15 20.4 16.8',
  'M12 18.8V22.4',
  'M6.8 15 3.6 16.8',
  'M6.8 9 3.6 7.2',
];

/** Change: two arrows, round whatever stands in the middle. */
export const ARROWS =
  'M2.2 13.6A9.9 9.9 0 0 1 19.6 5.6M19.8 1.6V6H15.4M21.8 10.4A9.9 9.9 0 0 1 4.4 18.4M4.2 22.4V18H8.6';

/** Out: what strikes the crown. */
export const STRIKE = 'M2.6 21.4 21.4 2.6';
