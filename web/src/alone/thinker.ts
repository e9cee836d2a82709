// The second worker: it thinks for long, so that the tables need not wait. It is told where the folder
// is, and then work, pickled, each with a number.

import type { PyCallable, PyProxy } from 'pyodide/ffi';
import { loadPython } from './python.ts';

export type Work = readonly [number: number, pickled: Uint8Array];

const tables = self as unknown as Pick<Worker, 'postMessage' | 'onmessage'>;
let doing: Promise<(work: Uint8Array) => Uint8Array>;

tables.onmessage = ({ data }: MessageEvent<string | Work>) => {
  if (typeof data === 'string') {
    doing = start(data);
    // What is not answered is an error for the one who asks.
    doing.catch((error: unknown) => setTimeout(() => Promise.reject(error)));
  } else {
    const [number, work] = data;
    void doing.then((how) => tables.postMessage([number, how(work)] satisfies Work));
  }
};

async function start(root: string) {
  const python = await loadPython(root, () => undefined);
  const { do: how } = python.pyimport('rage.place.alone.thinking') as { do: PyCallable };
  return (work: Uint8Array) => {
    const given = python.toPy(work) as PyProxy;
    const found = how(given) as PyProxy;
    const pickled = found.toJs() as Uint8Array;
    given.destroy();
    found.destroy();
    return pickled;
  };
}
