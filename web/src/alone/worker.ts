// The worker that runs the tables of a page: Python, with the place for one person, and its store.

import type { PyodideInterface } from 'pyodide';
import type { PyCallable, PyProxy } from 'pyodide/ffi';
import { ask } from './aside.ts';
import type { Asked, State, Told } from './messages.ts';
import { Elsewhere, openDatabase, Pages } from './pages.ts';
import { loadPython } from './python.ts';

/** Where Python finds the store. */
const FILE = '/home/tables.sqlite';

/** `rage.place.alone.home.Home`. */
interface Home extends PyProxy {
  request(...asked: unknown[]): Promise<PyProxy>;
  connect(number: number, path: string, query: string): void;
  receive(number: number, text: string): void;
  disconnect(number: number): void;
}

const page = self as unknown as Pick<Worker, 'postMessage' | 'onmessage'>;
const tell = (told: Told) => page.postMessage(told);
const become = (state: State) => tell({ type: 'state', state });

let python: PyodideInterface;
let home: Home;
/** Whether another tab has the tables now: nothing is answered here any more. */
let over = false;
let started = false;

page.onmessage = ({ data }: MessageEvent<Asked>) => {
  if (data.type === 'start') void start(data.root, data.take).catch(fail);
  else if (!over) answer(data);
};

function fail(error: unknown): void {
  if (error instanceof Elsewhere) return leave();
  console.error(error);
  become({ phase: 'failed', error: String(error) });
}

// Where Python's memory does not fit, its promise is kept by nobody, and only this is told.
addEventListener('unhandledrejection', ({ reason }) => {
  if (!started) fail(reason);
});

/** Start, unless another tab has the tables and this one shall not `take` them. */
async function start(root: string, take: boolean): Promise<void> {
  if (typeof WebAssembly !== 'object') throw new Error('no WebAssembly');
  const name = `rage ${new URL(root).pathname}`;
  if (!(await own(name, take))) return become({ phase: 'elsewhere' });
  const loading = loadPython(root, (done, total) => become({ phase: 'loading', done, total }));
  const pages = new Pages(await openDatabase(name));
  python = await loading;
  become({ phase: 'starting' });
  await pages.restore(python.FS, FILE);
  const { Home } = python.pyimport('rage.place.alone.home') as { Home: { open: PyCallable } };
  const keep = () =>
    pages.keep().catch((error: unknown) => {
      if (error instanceof Elsewhere) leave();
      throw error;
    });
  const aside = async (work: PyProxy) => python.toPy(await ask(root, work.toJs() as Uint8Array));
  home = (await Home.open(FILE, keep, said, closed, aside)) as Home;
  started = true;
  become({ phase: 'ready', kept: pages.kept, fresh: pages.fresh });
}

/** Milliseconds for which the tables are awaited: the page that this tab showed before may still
 * have them for a moment. */
const PATIENCE_MS = 2000;

/** Become the only worker with these tables. Returns whether it is. */
function own(name: string, take: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    let owned = false;
    const options = take ? { steal: true } : { signal: AbortSignal.timeout(PATIENCE_MS) };
    const held = navigator.locks.request(name, options, () => {
      owned = true;
      resolve(true);
      return new Promise(() => undefined); // until the page is closed
    });
    // Another tab has it, or has taken it.
    held.catch(() => (owned ? leave() : resolve(false)));
  });
}

/** Another tab has the tables now. */
function leave(): void {
  over = true;
  become({ phase: 'elsewhere' });
}

const said = (number: number, text: string) => tell({ type: 'said', number, text });
const closed = (number: number, code: number) => tell({ type: 'closed', number, code });

function answer(asked: Exclude<Asked, { type: 'start' }>): void {
  switch (asked.type) {
    case 'request':
      void request(asked).catch(fail);
      break;
    case 'connect':
      home.connect(asked.number, asked.path, asked.query);
      break;
    case 'say':
      home.receive(asked.number, asked.text);
      break;
    case 'leave':
      home.disconnect(asked.number);
  }
}

async function request(asked: Extract<Asked, { type: 'request' }>): Promise<void> {
  const { number, method, path, query, language } = asked;
  const body = asked.body === null ? null : python.toPy(new TextEncoder().encode(asked.body));
  const given = await home.request(method, path, query, body, language);
  const [status, , bytes] = given.toJs() as [number, string, Uint8Array];
  given.destroy();
  body?.destroy?.();
  tell({ type: 'answer', number, status, body: new TextDecoder().decode(bytes) });
}
