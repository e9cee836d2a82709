/** The smallest width of a button in CSS pixels, and the gap between two; `low`: in a low window,
 * where one row of them leaves room for a question. */
const leastOf = (low: boolean): number => (low ? 43 : 44);
export const gapOf = (low: boolean): number => (low ? 2 : 4);

/** How many numbers from 0 to `most` stand in a row of a width: at most six, or more if there are
 * many, the row is wide or the window low, with rows of about equal length. */
export function columnsOf(most: number, across: number, low: boolean): number {
  const [count, gap] = [most + 1, gapOf(low)];
  const room = Math.max(1, Math.floor((across + gap) / (leastOf(low) + gap)));
  const widest = low || across >= 640 ? 16 : count > 12 ? 8 : 6;
  return Math.ceil(count / Math.ceil(count / Math.min(room, widest)));
}
