// Cards and moves as the codes of docs/record.md: `R15`, `W`, `C`, `X`, `+`, `-`; played, a Wild
// and a named Change carry a colour: `WR`, `CB`.

import type { Pack, Rules } from './rules.ts';

/** The letter of a colour. */
export type Colour = 'R' | 'O' | 'Y' | 'G' | 'B' | 'P';
export const LETTERS = 'ROYGBP';
export const RANKS = 16;
/** The action cards in the order of the pack, with their codes. */
export const KINDS: Readonly<Record<keyof Pack, string>> = {
  wild: 'W',
  change: 'C',
  out: 'X',
  bonus: '+',
  mad: '-',
};
const ORDER = [...Object.values(KINDS)];

/** Whether a card or a move is a coloured card. */
export function isColoured(code: string): boolean {
  return LETTERS.includes(code[0]!);
}

/** The card that a move puts on the table. */
export function cardOf(move: string): string {
  return isColoured(move) ? move : move[0]!;
}

/** The colour of a card played: its own, the one called or the one named; `null` if none. */
export function colourOf(move: string): Colour | null {
  return ((isColoured(move) ? move[0] : move[1]) as Colour | undefined) ?? null;
}

/** Whether a move to an open trick sets the led colour: a coloured card or a Wild. */
export function setsLed(move: string): boolean {
  return isColoured(move) || move[0] === 'W';
}

/** The rank of a coloured card; 16 for a Wild, which is above them, and 0 for what has none. */
export function rankOf(move: string): number {
  if (isColoured(move)) return Number(move.slice(1));
  return move[0] === 'W' ? RANKS : 0;
}

/** Cards from one string with codes separated by spaces. */
export function split(codes: string): string[] {
  return codes === '' ? [] : codes.split(' ');
}

/** The place of a card in a sorted hand: by colour, high cards first, action cards last. */
export function handOrder(card: string): number {
  if (isColoured(card)) return LETTERS.indexOf(card[0]!) * RANKS + (RANKS - 1 - rankOf(card));
  return LETTERS.length * RANKS + ORDER.indexOf(card[0]!);
}

/** A hand in order. */
export function sorted(hand: readonly string[]): string[] {
  return [...hand].sort((a, b) => handOrder(a) - handOrder(b));
}

/** The cards before the shuffle: the colours from 0 to 15, then the action cards. */
export function pack(rules: Rules): string[] {
  const coloured = [...LETTERS].flatMap((letter) =>
    Array.from({ length: RANKS }, (_, rank) => `${letter}${rank}`),
  );
  const actions = Object.entries(KINDS).flatMap(([kind, code]) =>
    Array.from({ length: rules.pack[kind as keyof Pack] }, () => code),
  );
  return [...coloured, ...actions];
}
