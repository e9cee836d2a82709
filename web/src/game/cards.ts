// Codes of cards, moves and colours, as docs/record.md has them: how they are sorted and read.

export const LETTERS = 'ROYGBP';
const ORDER = `${LETTERS}WCX+-`;

/** The cards or moves of a string of codes. */
export function split(codes: string): string[] {
  return codes === '' ? [] : codes.split(' ');
}

export function isColoured(code: string): boolean {
  return LETTERS.includes(code.charAt(0));
}

/** Whether a move is a bid. */
export function isBid(move: string): boolean {
  return /^\d/.test(move);
}

/** The card that a move puts on the table. */
export function cardOf(move: string): string {
  return isColoured(move) ? move : move.charAt(0);
}

/** The colour that a Wild was called or a Change has named; else the colour of the card. */
export function colourOf(move: string): string | null {
  return isColoured(move) ? move.charAt(0) : (move[1] ?? null);
}

const rank = (code: string) => Number(code.slice(1) || 0);
const group = (code: string) => ORDER.indexOf(code.charAt(0));

/** By colour, high cards first, action cards last: as a hand is held. */
export function byHand(a: string, b: string): number {
  return group(a) - group(b) || rank(b) - rank(a);
}

/** By colour and rank, as the pack is counted. */
export function byPack(a: string, b: string): number {
  return group(a) - group(b) || rank(a) - rank(b);
}

/** `codes` with `card` in its place by `order`. */
export function withCard(
  codes: string,
  card: string,
  order: (a: string, b: string) => number,
): string {
  return [...split(codes), card].sort(order).join(' ');
}

/** `codes` without one `card`. */
export function withoutCard(codes: string, card: string): string {
  const cards = split(codes);
  const at = cards.indexOf(card);
  if (at >= 0) cards.splice(at, 1);
  return cards.join(' ');
}
