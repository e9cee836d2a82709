// The layers of the bots' network (`rage.bots.net.run_layers`), on arrays in Python's memory.

import type { PyBuffer } from 'pyodide/ffi';

/** An array in Python's memory. */
interface Numbers {
  copy(): Numbers;
  getBuffer(type: 'f32'): PyBuffer;
}

/** Return a function that writes the output for a row of features. When Python's memory grows it
 * moves, and views of it become empty. */
export function makeLayers(...given: Numbers[]): () => void {
  const arrays = given.map((each) => each.copy());
  const look = () => arrays.map((each) => each.getBuffer('f32').data as Float32Array);
  let views = look();
  const y = new Float32Array(views[1]!.length);
  return () => {
    if (!views[0]!.length) views = look();
    run(views as unknown as Parameters<typeof run>[0], y);
  };
}

type Row = Float32Array;

function run(
  [first, firstBias, inner, innerBias, row, out]: [Row, Row, Row, Row, Row, Row],
  y: Row,
) {
  const width = firstBias.length;
  const x = out.subarray(0, width);
  x.set(firstBias);
  addRows(x, row, first, 0);
  for (let j = 0; j < width; j += 1) x[j] = Math.max(0, x[j]!);
  for (let at = 0; at < innerBias.length; at += width) {
    y.set(innerBias.subarray(at, at + width));
    addRows(y, x, inner, at * width);
    for (let j = 0; j < width; j += 1) if (y[j]! > 0) x[j]! += y[j]!;
  }
}

/** Add to `out` each row of the matrix that begins at `at`, times its number in `factors`. */
function addRows(out: Row, factors: Row, rows: Row, at: number): void {
  const width = out.length;
  for (let i = 0, start = at; i < factors.length; i += 1, start += width) {
    const factor = factors[i]!;
    if (factor) for (let j = 0; j < width; j += 1) out[j]! += factor * rows[start + j]!;
  }
}
