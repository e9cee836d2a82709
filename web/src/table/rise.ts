// How far the plate with the pad for my bid rises over the cloth.

import { columnsOf, gapOf } from '../shell/columns.ts';

export interface Plate {
  /** Its greatest width and, on the cloth or below it, its height without a pad, in pixels. */
  readonly width: number;
  readonly height: number;
  /** The height of the words above the numbers. */
  readonly words: number;
  /** The height of a number. */
  readonly button: number;
  readonly low: boolean;
}

/** How far it rises with the numbers from 0 to `tricks`, in pixels. */
export function riseOf({ width, height, words, button, low }: Plate, tricks: number): number {
  const rows = Math.ceil((tricks + 1) / columnsOf(tricks, width - 28, low));
  const numbers = rows * button + (rows - 1) * gapOf(low);
  return Math.max(0, words + numbers + (low ? 14 : 26) - height);
}
