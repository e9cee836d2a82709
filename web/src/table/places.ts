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
  [[0, 78], [0, 38], [22, 0], [50, 0], [78, 0], [100, 38], [100, 78]],
]; // prettier-ignore

/** In a strip under which something lies: from left to right, up and down in turn. */
function strip(others: number): readonly Place[] {
  const rows = others > 4 ? 2 : 1;
  const last = Math.max(others - 1, 1);
  return Array.from({ length: others }, (_, i) => [
    others === 1 ? 50 : (100 * i) / last,
    rows === 2 && i % 2 ? 100 : 0,
  ]);
}

/** Close together on little height: as many rows as it takes, three across at most. */
function packed(others: number): readonly Place[] {
  const rows = Math.ceil((others - 1) / 2);
  const side = Array.from({ length: rows }, (_, i) => (rows === 1 ? 0 : (100 * i) / (rows - 1)));
  const left = side.map((y): Place => [0, y]).reverse();
  const right = side.map((y): Place => [100, y]);
  return others % 2 ? [...left, [50, 0], ...right] : [...left, ...right];
}

export const MINE: Place = [50, 100];

/** How the places lie: along an oval or an arc, or closer where there is little room for that. */
export type Shape = 'wide' | 'strip' | 'tall' | 'packed';

/** The places of so many others. */
export function places(others: number, shape: Shape): readonly Place[] {
  if (shape === 'strip') return strip(others);
  if (shape === 'packed') return packed(others);
  return (shape === 'wide' ? WIDE : TALL)[others] ?? [];
}

/** Which part of the width one of the others may take at most, so that nobody sits on the next. */
export function share(others: number, shape: Shape): number {
  if (shape === 'tall' || shape === 'packed') return others > 5 ? 0.29 : 0.33;
  const rows = new Map<number, number[]>();
  for (const [x, y] of places(others, shape)) {
    const row = Math.round(y / 30);
    rows.set(row, [...(rows.get(row) ?? []), x]);
  }
  let least = 100;
  for (const row of rows.values()) {
    const xs = row.sort((a, b) => a - b);
    xs.slice(1).forEach((x, i) => (least = Math.min(least, x - xs[i]!)));
  }
  return Math.min(0.33, (0.96 * least) / (100 + least));
}

/** Where each seat of a table is, seen from one of them. */
export function around(players: number, from: number, shape: Shape): Place[] {
  const others = places(players - 1, shape);
  return Array.from({ length: players }, (_, seat) => {
    const steps = (seat - from + players) % players;
    return steps === 0 ? MINE : (others[steps - 1] ?? MINE);
  });
}
