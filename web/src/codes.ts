// Codes of cards, moves and colours, as in docs/record.md: `R15`, `W`, `C`, `X`, `+`, `-`; as
// moves, a Wild and a named Change carry a colour: `WR`, `CB`. A bid is its number.

/** The letter of a colour. */
export type Colour = 'R' | 'O' | 'Y' | 'G' | 'B' | 'P';
export const COLOURS: readonly Colour[] = ['R', 'O', 'Y', 'G', 'B', 'P'];
/** The number of ranks in a colour; they start at 0. */
export const RANKS = 16;

/** The action cards in the order of the pack, with their codes. */
export const ACTIONS = { wild: 'W', change: 'C', out: 'X', bonus: '+', mad: '-' } as const;
export type Action = keyof typeof ACTIONS;
const ENTRIES = Object.entries(ACTIONS) as [Action, string][];
const BY_CODE = new Map(ENTRIES.map(([action, code]) => [code, action]));

const ORDER = [...COLOURS, ...Object.values(ACTIONS)].join('');

/** The codes in a string, separated by spaces. */
export function split(codes: string): string[] {
  return codes === '' ? [] : codes.split(' ');
}

export function isColour(letter: string): letter is Colour {
  return (COLOURS as readonly string[]).includes(letter);
}

/** Whether a card or a move is a coloured card. */
export function isColoured(code: string): boolean {
  return isColour(code.charAt(0));
}

/** The action card of a card or a move; null for a coloured card. */
export function actionOf(code: string): Action | null {
  return BY_CODE.get(code.charAt(0)) ?? null;
}

export function isBid(move: string): boolean {
  return /^\d/.test(move);
}

/** The card that a move puts on the table. */
export function cardOf(move: string): string {
  return isColoured(move) ? move : move.charAt(0);
}

/** The colour of a played card: printed, called or named; null without one. */
export function colourOf(move: string): Colour | null {
  return ((isColoured(move) ? move[0] : move[1]) as Colour | undefined) ?? null;
}

const rank = (code: string) => Number(code.slice(1) || 0);
const group = (code: string) => ORDER.indexOf(code.charAt(0));

/** Sort order of a hand: by colour, high cards first, action cards last. */
export function byHand(a: string, b: string): number {
  return group(a) - group(b) || rank(b) - rank(a);
}

/** Sort order of the pack: by colour and rank, action cards last. */
export function byPack(a: string, b: string): number {
  return group(a) - group(b) || rank(a) - rank(b);
}

/** `codes` with `card` inserted in `order`. */
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

/** The name that the server puts in place of an erased person's (`rage.table.erasure`). */
export const ERASED = /^\u2205\d+$/;
