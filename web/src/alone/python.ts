// Loads Python and our own modules from the files beside the page, and reports how much is here.

import type { PyodideInterface } from 'pyodide';

/** Load it; `tell` is called with the bytes that have arrived, and the total. */
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
  const python: PyodideInterface = await loadPyodide({ indexURL });
  count(sizes[`${runtime}pyodide.mjs`]! + sizes[`${runtime}pyodide.asm.mjs`]!);
  await Promise.all(files);
  python.unpackArchive(await archive, 'zip');
  return python;
}

/** Watch what Pyodide fetches and compiles until `end`. If anything fails, it only warns and waits
 * forever; if memory is short, it rejects a promise that it handles nowhere. */
function watch(root: string, count: (bytes: number) => void) {
  const { instantiateStreaming } = WebAssembly;
  const plain = globalThis.fetch;
  const files: Promise<void>[] = [];
  let fail!: (error: unknown) => void;
  const failure = new Promise<never>((_, reject) => (fail = reject));
  // Pyodide begins to compile its files before they are complete.
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
      await Promise.allSettled(files); // an incomplete file fails with an error of its own
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

/** Rejects unless Pyodide's scripts are here in full: browsers throw the same error for a truncated
 * script as for one that is too new for them. */
async function checkScripts(root: string): Promise<void> {
  const scripts = Object.entries(__PYTHON__.sizes).filter(([name]) => name.endsWith('.mjs'));
  await Promise.all(scripts.map(([name, size]) => arrived(fetch(root + name), size)));
}

/** Resolves once a response is here in its full `size`; its bytes are counted as they arrive. */
function arrived(
  coming: Promise<Response>,
  size: number | undefined,
  count?: (bytes: number) => void,
): Promise<void> {
  return coming
    .then((response) => readWhole(response, size, count))
    .catch((error: unknown) => Promise.reject(new Error(`network: ${String(error)}`)));
}

/** Reads a clone: browsers cache compiled code only for the original response, which halves the
 * time of the next start. */
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
  // A truncated response is not recognisable as such, so it may have been cached.
  for (const name of (await globalThis.caches?.keys()) ?? [])
    await (await caches.open(name)).delete(url);
  throw new Error(`${here} of ${size} bytes of ${url}`);
}
