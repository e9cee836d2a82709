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
  const total = Object.values(__PYTHON__.sizes).reduce((sum, size) => sum + size, 0);
  let done = 0;
  const count = (bytes: number) => tell((done += bytes), total);
  const { files, failure, end } = watch(root, count);
  try {
    return await Promise.race([load(root, count, files), failure]).finally(end);
  } catch (error) {
    if (error instanceof SyntaxError) await checkScripts(root);
    throw error;
  }
}

async function load(
  root: string,
  count: (bytes: number) => void,
  files: readonly Promise<void>[],
): Promise<PyodideInterface> {
  const { runtime, rage, sizes } = __PYTHON__;
  const indexURL = root + runtime;
  const archive = fetch(root + rage).then((response) => response.arrayBuffer());
  archive.catch(() => undefined); // it arrives while Python starts
  // eslint-disable-next-line no-restricted-syntax -- no source of the page, so no layer
  const { loadPyodide } = await import(/* @vite-ignore */ `${indexURL}pyodide.mjs`);
  const python: PyodideInterface = await loadPyodide({ indexURL, env: ENVIRONMENT });
  count(sizes[`${runtime}pyodide.mjs`]! + sizes[`${runtime}pyodide.asm.mjs`]!);
  await Promise.all(files);
  python.unpackArchive(await archive, 'zip');
  python.pyimport('rage.house.alone.layers').use(makeLayers);
  return python;
}

/** Watch what Pyodide fetches and compiles until the `end`: if anything fails it only warns, and waits
 * for ever; if memory does not fit, its promise is kept by nobody. */
function watch(root: string, count: (bytes: number) => void) {
  const { instantiateStreaming } = WebAssembly;
  const plain = globalThis.fetch;
  const files: Promise<void>[] = [];
  let fail!: (error: unknown) => void;
  const failure = new Promise<never>((_, reject) => (fail = reject));
  // Pyodide begins to compile its files while they arrive.
  globalThis.fetch = (...asked) => {
    const coming = plain(...asked);
    const size = __PYTHON__.sizes[String(asked[0]).slice(root.length)];
    const file = arrived(coming, size, count);
    file.catch(fail);
    files.push(file);
    return coming;
  };
  WebAssembly.instantiateStreaming = async (...given) => {
    try {
      return await instantiateStreaming(...given);
    } catch (error) {
      await Promise.allSettled(files); // half a file is no program, but that is not the reason
      fail(error);
      throw error;
    }
  };
  const rejected = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    fail(event.reason);
  };
  addEventListener('unhandledrejection', rejected);
  const end = () => {
    globalThis.fetch = plain;
    WebAssembly.instantiateStreaming = instantiateStreaming;
    removeEventListener('unhandledrejection', rejected);
  };
  return { files, failure, end };
}

/** Rejects unless Pyodide's scripts are here in full: a browser says of half a one that it cannot be
 * read, as of one that is too new for it. */
async function checkScripts(root: string): Promise<void> {
  const scripts = Object.entries(__PYTHON__.sizes).filter(([name]) => name.endsWith('.mjs'));
  await Promise.all(scripts.map(([name, size]) => arrived(fetch(root + name), size)));
}

/** Resolves once a response is here in its full `size`, whose bytes are counted as they arrive. */
function arrived(
  coming: Promise<Response>,
  size: number | undefined,
  count?: (bytes: number) => void,
): Promise<void> {
  return coming
    .then((response) => readWhole(response, size, count))
    .catch((error: unknown) => Promise.reject(new Error(`network: ${String(error)}`)));
}

/** The response stays the one that came, because a browser keeps what it has compiled only of such:
 * the next start takes half the time. */
async function readWhole(
  response: Response,
  size: number | undefined,
  count?: (bytes: number) => void,
): Promise<void> {
  const { ok, status, url } = response;
  if (!ok) throw new Error(`${status} ${url}`);
  const reader = response.clone().body!.getReader();
  let here = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    here += next.value.length;
    count?.(next.value.length);
  }
  if (size === undefined || here === size) return;
  // Nothing says that it is cut short, so it may have been kept.
  for (const name of (await globalThis.caches?.keys()) ?? [])
    await (await caches.open(name)).delete(url);
  throw new Error(`${here} of ${size} bytes of ${url}`);
}
