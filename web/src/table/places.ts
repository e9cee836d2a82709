// Where the others sit around the table, in their order, as parts of a hundred of its width and
// height: from my left hand over the far side to my right. An arc on a telephone, an oval where
// there is room.

export type Place = readonly [x: number, y: number];

const TALL: readonly (readonly Place[])[] = [
  [],
  [[50, 0]],
  [[0, 16], [100, 16]],
  [[0, 34], [50, 0], [100, 34]],
  [[0, 46], [12, 0], [88, 0], [100, 46]],
  [[0, 50], [0, 8], [50, 0], [100, 8], [100, 50]],
  [[0, 62], [0, 30], [14, 0], [86, 0], [100, 30], [100, 62]],
  [[0, 66], [0, 36], [0, 6], [50, 0], [100, 6], [100, 36], [100, 66]],
]; // prettier-ignore

const WIDE: readonly (readonly Place[])[] = [
  [],
  [[50, 0]],
  [[10, 18], [90, 18]],
  [[0, 42], [50, 0], [100, 42]],
  [[0, 54], [24, 0], [76, 0], [100, 54]],
  [[0, 60], [12, 6], [50, 0], [88, 6], [100, 60]],
  [[0, 66], [4, 12], [34, 0], [66, 0], [96, 12], [100, 66]],
  [[0, 74], [0, 26], [22, 0], [50, 0], [78, 0], [100, 26], [100, 74]],
]; // prettier-ignore

/** In a strip under which something lies: from left to right, up and down in turn. */
function strip(others: number, across: number): readonly Place[] {
  const rows = others > across ? 2 : 1;
  const last = Math.max(others - 1, 1);
  return Array.from({ length: others }, (_, i) => [
    others === 1 ? 50 : (100 * i) / last,
    rows === 2 && i % 2 ? 100 : 0,
  ]);
}

export const MINE: Place = [50, 100];

/** How the places lie: along an oval, an arc, or the strip that is left, wide or narrow. */
export type Shape = 'wide' | 'tall' | 'strip' | 'narrow';

/** The places of so many others. */
export function places(others: number, shape: Shape): readonly Place[] {
  if (shape === 'strip') return strip(others, 4);
  if (shape === 'narrow') return strip(others, 3);
  return (shape === 'wide' ? WIDE : TALL)[others] ?? [];
}

/** Where each seat of a table is, seen from one of them. */
export function around(players: number, from: number, shape: Shape): Place[] {
  const others = places(players - 1, shape);
  return Array.from({ length: players }, (_, seat) => {
    const steps = (seat - from + players) % players;
    return steps === 0 ? MINE : (others[steps - 1] ?? MINE);
  });
}

/** In which direction from the middle a place lies, as a step to the right and one down. */
export function towards([x, y]: Place): readonly [number, number] {
  const [dx, dy] = [x - 50, (y - 54) * 1.1];
  const length = Math.hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}
