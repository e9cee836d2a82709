// The worker that runs the tables of a page: Python, with a house for one person and its store.

import type { PyodideInterface } from 'pyodide';
import type { PyCallable, PyProxy } from 'pyodide/ffi';
import {
  databaseOf,
  type FromWorker,
  type How,
  type State,
  type ToWorker,
  UNREADABLE,
} from './messages.ts';
import { Elsewhere, openDatabase, Pages, Silent } from './pages.ts';
import { loadPython } from './python.ts';

/** Where Python finds the store. */
const FILE = '/home/tables.sqlite';

/** `rage.house.alone.home.Home`. */
interface Home extends PyProxy {
  request(...asked: unknown[]): Promise<PyProxy>;
  connect(number: number, path: string, query: string): void;
  receive(number: number, text: string): void;
  disconnect(number: number): void;
}

const page = self as unknown as Pick<Worker, 'postMessage' | 'onmessage'>;
const tell = (message: FromWorker) => page.postMessage(message);
const become = (state: State) => tell({ type: 'state', state });

let python: PyodideInterface;
let home: Home;
/** Whether another tab has the tables now, so that nothing is answered here any more. */
let over = false;

page.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start') void start(data.root, data.how).catch(fail);
  else if (!over) answer(data);
};

function fail(error: unknown): void {
  if (error instanceof Elsewhere) return leave();
  console.error(error);
  become({ phase: 'failed', error: String(error) });
}

/** Reject the kept games, because of an error. */
function refuse(error: unknown): never {
  throw new Error(`${UNREADABLE}: ${String(error)}`);
}

/** Start, once the tables are ours. */
async function start(root: string, how: How): Promise<void> {
  if (typeof WebAssembly !== 'object') throw new Error('no WebAssembly');
  const name = databaseOf(root);
  await own(name, how);
  const count = (done: number, total: number) => become({ phase: 'loading', done, total });
  const [loaded, database] = await Promise.all([loadPython(root, count), openDatabase(name)]);
  python = loaded;
  const pages = new Pages(database);
  become({ phase: 'starting' });
  await pages.restore(python.FS, FILE).catch(refuse);
  const { Home } = python.pyimport('rage.house.alone.home') as { Home: { open: PyCallable } };
  const ready = (full: boolean) =>
    become({ phase: 'ready', kept: pages.kept, fresh: pages.fresh, full, lost: pages.lost });
  let failures = 0;
  const keep = async () => {
    try {
      await pages.keep();
    } catch (error) {
      if (error instanceof Elsewhere) leave();
      else if (error instanceof Silent) fail(error);
      // After a first failure, only the person's own command is refused.
      else if ((failures += 1) === 2) ready(true);
      throw error;
    }
    if (failures > 1) ready(false);
    failures = 0;
  };
  home = (await Home.open(FILE, keep, said, closed).catch((error: unknown) => {
    if (String(error).includes('StoreFailed')) refuse(error);
    throw error;
  })) as Home;
  ready(false);
}

/** Milliseconds to wait for the tables: the previous page of this tab may still hold them
 * briefly. */
const PATIENCE_MS = 2000;

/** Resolves once this is the only worker with these tables. Without locks, as over plain HTTP, the
 * last one to open them has them (`Pages`). */
async function own(name: string, how: How): Promise<void> {
  const { locks } = navigator as { locks?: LockManager };
  if (how !== 'wait') {
    const options = how === 'take' ? { steal: true } : { signal: AbortSignal.timeout(PATIENCE_MS) };
    if (!locks || (await hold(name, options))) return;
    become({ phase: 'elsewhere', waiting: true });
  }
  do {
    await (locks?.request(name, () => undefined) ?? new Promise(() => undefined));
    // The other tab may just be reloading.
    await new Promise((resume) => setTimeout(resume, PATIENCE_MS));
  } while (!(await hold(name, { ifAvailable: true })));
}

/** Hold a lock until the page is closed. Returns whether it was granted. */
function hold(name: string, options: LockOptions): Promise<boolean> {
  return new Promise((resolve) => {
    let owned = false;
    const held = navigator.locks.request(name, options, (lock) => {
      owned = lock !== null;
      resolve(owned);
      return owned ? new Promise(() => undefined) : undefined;
    });
    held.catch((error: unknown) => {
      if (owned)
        leave(); // another tab has taken it
      // Another tab has it; or locks are forbidden here, which counts as having none.
      else resolve((error as DOMException).name !== 'TimeoutError');
    });
  });
}

/** Another tab has the tables now. */
function leave(): void {
  over = true;
  become({ phase: 'elsewhere', waiting: false });
}

const said = (number: number, text: string) => tell({ type: 'said', number, text });
const closed = (number: number, code: number) => tell({ type: 'closed', number, code });

function answer(asked: Exclude<ToWorker, { type: 'start' }>): void {
  switch (asked.type) {
    case 'request':
      void request(asked).catch(fail);
      break;
    case 'connect':
      tell({ type: 'opened', number: asked.number });
      home.connect(asked.number, asked.path, asked.query);
      break;
    case 'say':
      home.receive(asked.number, asked.text);
      break;
    case 'leave':
      home.disconnect(asked.number);
  }
}

async function request(asked: Extract<ToWorker, { type: 'request' }>): Promise<void> {
  const { number, method, path, query, language } = asked;
  const body = asked.body === null ? null : python.toPy(new TextEncoder().encode(asked.body));
  const given = await home.request(method, path, query, body, language);
  const [status, , bytes] = given.toJs() as [number, string, Uint8Array];
  given.destroy();
  body?.destroy?.();
  tell({ type: 'answer', number, status, body: new TextDecoder().decode(bytes) });
}
