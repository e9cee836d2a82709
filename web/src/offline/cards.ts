// Cards as the rules see them (docs/rules.md); web/src/codes.ts reads their codes.

import { ACTIONS, type Action, byHand, COLOURS, isColoured, RANKS } from '../codes.ts';
import type { Rules } from './rules.ts';

/** Whether a move sets the led colour of an open trick: a coloured card or a Wild. */
export function setsLed(move: string): boolean {
  return isColoured(move) || move[0] === 'W';
}

/** The rank of a coloured card; 16 for a Wild, which ranks above them; 0 without a rank. */
export function rankOf(move: string): number {
  if (isColoured(move)) return Number(move.slice(1));
  return move[0] === 'W' ? RANKS : 0;
}

/** A sorted hand. */
export function sortHand(hand: readonly string[]): string[] {
  return [...hand].sort(byHand);
}

/** The pack before the shuffle: the colours from 0 to 15, then the action cards. */
export function pack(rules: Rules): string[] {
  const coloured = COLOURS.flatMap((letter) =>
    Array.from({ length: RANKS }, (_, rank) => `${letter}${rank}`),
  );
  const actions = Object.entries(ACTIONS).flatMap(([action, code]) =>
    Array.from({ length: rules.pack[action as Action] }, () => code),
  );
  return [...coloured, ...actions];
}
