/** What a card code of docs/record.md shows. */
import { LETTERS, type Letter } from '../icons/symbols';

export type Action = 'wild' | 'change' | 'out' | 'bonus' | 'mad';

export interface Face {
  /** The colour of the card, called or named, where there is one. */
  colour: Letter | null;
  /** The rank of a coloured card. */
  rank: string | null;
  action: Action | null;
}

const ACTIONS: Record<string, Action> = {
  W: 'wild',
  C: 'change',
  X: 'out',
  '+': 'bonus',
  '-': 'mad',
};
const CODE = /^(?:([ROYGBP])(1[0-5]|\d)|([WC])([ROYGBP])?|([X+-]))$/;

export function isLetter(letter: string): letter is Letter {
  return (LETTERS as readonly string[]).includes(letter);
}

/** The face of a card from its code. Throws for what is no code. */
export function faceOf(code: string): Face {
  const match = CODE.exec(code);
  if (!match) throw new Error(`no card ${code}`);
  const [, colour, rank, kind, called, other] = match;
  const action = ACTIONS[kind ?? other ?? ''] ?? null;
  return { colour: ((colour ?? called) as Letter | undefined) ?? null, rank: rank ?? null, action };
}
