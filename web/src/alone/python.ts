// Loads Python and our own modules from the files beside the page, and tells truly how much of that
// is here.

import type { PyodideInterface } from 'pyodide';
import { makeLayers } from './layers.ts';

/** Bots look ahead, though Python is not compiled: the network is fast enough. */
const ENVIRONMENT = { RAGE_SLOW_BOTS: '1' };

/** Load it; `tell` is called with the bytes that have arrived, and all that will. */
export async function loadPython(
  root: string,
  tell: (done: number, total: number) => void,
): Promise<PyodideInterface> {
  const { runtime, rage, sizes } = __PYTHON__;
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let done = 0;
  const count = (bytes: number) => tell((done += bytes), total);
  const indexURL = root + runtime;
  const plain = globalThis.fetch;
  // Pyodide fetches its own files, and begins to compile while they arrive.
  globalThis.fetch = async (...asked) => counted(await plain(...asked), count);
  try {
    const archive = whole(root + rage); // arrives while Python starts
    archive.catch(() => undefined);
    // eslint-disable-next-line no-restricted-syntax -- no source of the page, so no layer
    const { loadPyodide } = await import(/* @vite-ignore */ `${indexURL}pyodide.mjs`);
    const python: PyodideInterface = await loadPyodide({ indexURL, env: ENVIRONMENT });
    count(sizes[`${runtime}pyodide.mjs`]! + sizes[`${runtime}pyodide.asm.mjs`]!);
    python.unpackArchive(await archive, 'zip');
    python.pyimport('rage.place.alone.layers').use(makeLayers);
    return python;
  } finally {
    globalThis.fetch = plain;
  }
}

async function whole(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  return response.arrayBuffer();
}

/** A response whose bytes are counted as they arrive. It stays the one that came, because a browser
 * keeps what it has compiled only of such: the next start takes half the time. */
function counted(response: Response, count: (bytes: number) => void): Response {
  if (response.body) void read(response.clone().body!, count).catch(() => undefined);
  return response;
}

async function read(body: ReadableStream<Uint8Array>, count: (bytes: number) => void) {
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read())
    count(next.value.length);
}
