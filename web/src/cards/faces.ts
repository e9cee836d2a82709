// The faces of the bots on offer: eyes, brows and a mouth on the shape of a sign.

import type { OfferedBot } from '../protocol.ts';

export interface FaceLook {
  /** The head: the number of a sign's shape and stone. */
  readonly head: number;
  readonly stone: number;
  /** How far the eyes are open. */
  readonly open: number;
  /** The height of a brow above the eye, at its inner and its outer end. */
  readonly brow: readonly [number, number];
  /** How far the mouth hangs down in its middle. */
  readonly smile: number;
  /** An accessory drawn over it. */
  readonly worn?: string;
  /** Whether the accessory is of gold. */
  readonly gold?: boolean;
}

/** By bot. */
export const FACES: Readonly<Record<string, FaceLook>> = {
  easy: { head: 4, stone: 3, open: 5.2, brow: [9, 8], smile: 9 },
  steady: { head: 7, stone: 1, open: 4, brow: [7, 7], smile: 3 },
  medium: { head: 3, stone: 5, open: 4.2, brow: [6, 9], smile: 6 },
  // with a monocle
  hard: {
    head: 0,
    stone: 2,
    open: 2.4,
    brow: [4, 8],
    smile: -2,
    worn: 'M39.5 21a7 7 0 1 1-14 0a7 7 0 1 1 14 0M39 23.5Q40.5 32 37 38',
  },
  // with a crown
  master: {
    head: 6,
    stone: 6,
    open: 3,
    brow: [5, 7],
    smile: 4,
    worn: 'M13 12.5L11.5 1 18.5 6 24-1 29.5 6 36.5 1 35 12.5Z',
    gold: true,
  },
  // with spectacles
  deep: {
    head: 2,
    stone: 7,
    open: 3.2,
    brow: [10, 9],
    smile: 1,
    worn: 'M22.5 21a7 7 0 1 1-14 0a7 7 0 1 1 14 0M39.5 21a7 7 0 1 1-14 0a7 7 0 1 1 14 0M22.5 20q1.5-1 3 0',
  },
} satisfies Record<OfferedBot, FaceLook>;
