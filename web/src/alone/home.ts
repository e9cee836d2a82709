// Where a page that plays alone has its tables: in its own worker, which this starts, asks and
// tells as others would a server.

import { keepFiles } from './keeping.ts';
import { type Asked, databaseOf, type How, SILENT, type State, type Told } from './messages.ts';
import { sitDown } from './storage.ts';
import { CLOSE } from '../protocol.ts';
import { readStored, store } from '../stored.ts';

export type { State } from './messages.ts';

/** Whether this tab was asked to take the tables. */
const TAKE = 'rage.alone.take';
const CLOSED = 3;
const LOST = 1006;
/** Loading has failed when nothing has come for this long: so many times so many milliseconds, which
 * a page in the background does not count. */
const TICKS = 12;
const TICK_MS = 5000;

export interface Answer {
  readonly status: number;
  readonly body: string;
}

let started = false;
let worker: Worker | null = null;
let state: State = { phase: 'loading', done: 0, total: 0 };
let number = 0;
let ticking: ReturnType<typeof setInterval> | undefined;
/** Whether a connection was closed because another tab has the tables. */
let warned = false;
const watching = new Set<(state: State) => void>();
/** What waits until the tables are here again. */
let away: (() => void)[] = [];
/** What waits until the tables can be played. */
let early: Asked[] = [];
const pending = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
const lines = new Map<number, Line>();

/** Be told how far the worker is, now and whenever that changes. Returns what ends it. */
export function watch(listener: (state: State) => void): () => void {
  watching.add(listener);
  listener(state);
  return () => watching.delete(listener);
}

/** Start the worker, unless it runs. `take`: also if another tab has the tables. */
export function start(take = false): void {
  if (started) return;
  started = true;
  // Only a worker that begins later loads its files through the service worker, which keeps them.
  const taken = readStored(TAKE, 'sessionStorage') === '1';
  store(TAKE, '', 'sessionStorage');
  awaitProgress();
  void keepFiles().then(() => launch(take || taken ? 'take' : 'open'));
}

function launch(how: How): void {
  let own: Worker;
  try {
    own = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  } catch (error) {
    return fail(`no Worker: ${String(error)}`);
  }
  worker = own;
  own.onmessage = ({ data }: MessageEvent<Told>) => own === worker && hear(data);
  own.onerror = (event) => {
    event.preventDefault();
    console.error(event);
    if (own === worker) fail(event.message ?? ''); // none where its script did not come
  };
  const root = new URL('./', document.baseURI).href;
  own.postMessage({ type: 'start', root, how } satisfies Asked);
}

/** End the worker, which has a hundred megabytes. */
function dismiss(): void {
  worker?.terminate();
  worker = null;
}

/** Give up on files that do not come. */
function awaitProgress(): void {
  let before = state;
  let ticks = 0;
  clearInterval(ticking);
  ticking = setInterval(() => {
    if (state.phase !== 'loading') return clearInterval(ticking);
    ticks = state === before ? ticks + 1 : 0;
    before = state;
    if (ticks === TICKS) fail('network: nothing comes');
  }, TICK_MS);
}

/** While somebody looks, wait for the tables that another tab has. */
function awaitTables(): void {
  dismiss();
  if (!document.hidden) launch('wait');
}
if (__ALONE__) {
  document.addEventListener('visibilitychange', () => {
    if (state.phase === 'elsewhere') awaitTables();
  });
  // A browser may keep the page for its Back button, and with it the lock on the tables.
  addEventListener('pagehide', dismiss);
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
}

/** Call something once, when the tables are here again that another tab has. */
export function whenBack(call: () => void): void {
  away.push(call);
}

/** Begin this page again, with the tables that another tab has. */
export function playHere(): void {
  store(TAKE, '1', 'sessionStorage');
  location.reload();
}

/** Delete all games that are kept, and begin this page again. */
export function deleteGames(): void {
  const deleting = indexedDB.deleteDatabase(databaseOf(new URL('./', document.baseURI).href));
  // Another tab may hold it open, where there are no locks: it is deleted once that is closed.
  deleting.onsuccess = deleting.onerror = deleting.onblocked = () => location.reload();
}

/** Play here again what another tab has. */
function takeOver(): void {
  dismiss();
  started = warned = false;
  become({ phase: 'loading', done: 0, total: 0 });
  start(true);
}

/** Ask as a server is asked, at a path such as `/api/me`. Rejects if there is no answer. */
export function request(
  method: string,
  path: string,
  query: string,
  body: string | null,
  language: string,
): Promise<Answer> {
  start();
  if (isGone(state)) return Promise.reject(new Error(state.phase));
  const asked = ++number;
  return new Promise((resolve, reject) => {
    pending.set(asked, { resolve, reject });
    post({ type: 'request', number: asked, method, path, query, body, language });
  });
}

/** Connect to a table, as with a WebSocket at this address. */
export function connect(url: string): Line {
  const { pathname, search } = new URL(url);
  // Somebody who has been told that another tab has the tables, and connects again, wants them here.
  if (state.phase === 'elsewhere' && warned) takeOver();
  start();
  return new Line(`/ws/${pathname.split('/').at(-1)}`, search.slice(1));
}

/** A connection to a table, as `game/socket` needs it. */
class Line {
  readyState = 0;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent<string>) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  readonly #number = ++number;

  constructor(path: string, query: string) {
    lines.set(this.#number, this);
    post({ type: 'connect', number: this.#number, path, query });
    queueMicrotask(() => {
      if (isGone(state)) giveUp(state.phase);
      else if (state.phase !== 'ready') this.open(); // which may take long, and the page says so
    });
  }

  /** The other end has answered. */
  open(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.onopen?.(new Event('open'));
  }

  send(text: string): void {
    if (this.readyState === 1) post({ type: 'say', number: this.#number, text });
  }

  close(code = 1000): void {
    if (this.readyState === CLOSED) return;
    post({ type: 'leave', number: this.#number });
    this.end(code);
  }

  receive(text: string): void {
    this.open();
    this.onmessage?.(new MessageEvent('message', { data: text }));
  }

  /** The other end has closed it. */
  end(code: number): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    lines.delete(this.#number);
    this.onclose?.(new CloseEvent('close', { code }));
  }
}

function post(asked: Asked): void {
  if (state.phase === 'ready') worker?.postMessage(asked);
  else early.push(asked);
}

function hear(told: Told): void {
  switch (told.type) {
    case 'state':
      if (told.state.phase === 'failed') fail(told.state.error);
      else become(told.state);
      break;
    case 'answer':
      pending.get(told.number)?.resolve(told);
      pending.delete(told.number);
      break;
    case 'opened':
      lines.get(told.number)?.open();
      break;
    case 'said':
      sitDown();
      lines.get(told.number)?.receive(told.text);
      break;
    case 'closed':
      lines.get(told.number)?.end(told.code);
  }
}

/** The worker has ended. */
function fail(error: string): void {
  const { phase } = state;
  if (phase === 'ready') {
    become({ phase: 'stopped', kept: state.kept, silent: error.includes(SILENT) });
  } else if (phase !== 'stopped') become({ phase: 'failed', error });
}

type Gone = Extract<State, { phase: 'failed' | 'stopped' | 'elsewhere' }>;

/** Whether nothing is answered. */
export function isGone(given: State): given is Gone {
  return given.phase === 'failed' || given.phase === 'stopped' || given.phase === 'elsewhere';
}

function become(next: State): void {
  if (next.phase === 'loading' && state.phase === 'elsewhere') awaitProgress();
  state = next;
  if (next.phase === 'ready') {
    warned = false;
    const waiting = early;
    early = [];
    waiting.forEach(post);
    const back = away;
    away = [];
    for (const call of back) call();
  } else if (isGone(next)) {
    giveUp(next.phase);
    if (next.phase !== 'elsewhere') dismiss();
    else if (!next.waiting || document.hidden) awaitTables();
  }
  for (const listener of watching) listener(next);
}

/** Nothing will be answered. */
function giveUp(why: Gone['phase']): void {
  early = [];
  warned = why === 'elsewhere' && (warned || lines.size > 0);
  for (const { reject } of pending.values()) reject(new Error(why));
  pending.clear();
  for (const line of [...lines.values()]) line.end(why === 'elsewhere' ? CLOSE.elsewhere : LOST);
}
