/** What the face of a card shows, by its code (docs/record.md). */
import { type Action, actionOf, type Colour } from '../codes';

export interface Face {
  /** The colour: printed, called or named. */
  colour: Colour | null;
  /** The rank of a coloured card. */
  rank: string | null;
  action: Action | null;
}

const CODE = /^(?:([ROYGBP])(1[0-5]|\d)|[WC]([ROYGBP])?|[X+-])$/;

/** The face of a card. Throws for anything that is not a card code. */
export function faceOf(code: string): Face {
  const match = CODE.exec(code);
  if (!match) throw new Error(`${code} is not the code of a card`);
  const [, colour, rank = null, called] = match as unknown as [string, Colour?, string?, Colour?];
  return { colour: colour ?? called ?? null, rank, action: actionOf(code) };
}
