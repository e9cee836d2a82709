// The places of the others around the table, in per cent of the available room: from my left over
// the far side to my right. An arc on a phone, an oval with more room.

export type Place = readonly [x: number, y: number];

const TALL: readonly (readonly Place[])[] = [
  [],
  [[50, 0]],
  [[8, 22], [92, 22]],
  [[0, 50], [50, 0], [100, 50]],
  [[0, 100], [13, 18], [87, 18], [100, 100]],
  [[0, 100], [0, 30], [50, 0], [100, 30], [100, 100]],
  [[0, 100], [0, 50], [0, 0], [100, 0], [100, 50], [100, 100]],
  [[0, 100], [0, 56], [0, 12], [50, 0], [100, 12], [100, 56], [100, 100]],
]; // prettier-ignore

const WIDE: readonly (readonly Place[])[] = [
  [],
  [[50, 0]],
  [[15, 14], [85, 14]],
  [[0, 78], [50, 0], [100, 78]],
  [[0, 96], [22, 8], [78, 8], [100, 96]],
  [[0, 96], [15, 14], [50, 0], [85, 14], [100, 96]],
  [[0, 100], [6, 36], [29, 0], [71, 0], [94, 36], [100, 100]],
  [[0, 100], [4, 40], [24, 4], [50, 0], [76, 4], [96, 40], [100, 100]],
]; // prettier-ignore

/** The curve of the places: an oval or an arc. */
export type Shape = 'wide' | 'tall';

/** The places of a number of others. */
export function places(others: number, shape: Shape): readonly Place[] {
  return (shape === 'wide' ? WIDE : TALL)[others] ?? [];
}
