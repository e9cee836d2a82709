// The second worker: it does the long thinking, so that the tables need not wait. It first gets the
// address of the folder, then pickled work, each piece with a number.

import type { PyCallable, PyProxy } from 'pyodide/ffi';
import { loadPython } from './python.ts';

/** As an answer, a string says why there is none. */
export type Work = readonly [number: number, pickled: Uint8Array | string];

const tables = self as unknown as Pick<Worker, 'postMessage' | 'onmessage'>;
let doing: Promise<(work: Uint8Array) => Uint8Array>;

tables.onmessage = ({ data }: MessageEvent<string | [number, Uint8Array]>) => {
  if (typeof data === 'string') {
    doing = start(data);
    doing.catch(() => undefined); // reported with each answer
  } else {
    const [number, work] = data;
    const answer = (found: Work[1]) => tables.postMessage([number, found] satisfies Work);
    doing.then((how) => answer(how(work))).catch((error: unknown) => answer(String(error)));
  }
};

async function start(root: string) {
  const python = await loadPython(root, () => undefined);
  const { do: how } = python.pyimport('rage.house.alone.thinking') as { do: PyCallable };
  return (work: Uint8Array) => {
    const given = python.toPy(work) as PyProxy;
    const found = how(given) as PyProxy;
    const pickled = found.toJs() as Uint8Array;
    given.destroy();
    found.destroy();
    return pickled;
  };
}
