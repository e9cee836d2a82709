// Runs the tables of a page that plays alone: starts their worker, and sends it what would
// otherwise go to a server.

import { keepFiles } from './keeping.ts';
import {
  databaseOf,
  type FromWorker,
  type How,
  SILENT,
  type State,
  type ToWorker,
} from './messages.ts';
import { sitDown } from './storage.ts';
import { CLOSE } from '../protocol.ts';
import { readStored, store } from '../stored.ts';

export type { State } from './messages.ts';

/** Whether this tab was asked to take the tables. */
const TAKE = 'rage.alone.take';
const CLOSED = 3;
const LOST = 1006;
/** Loading fails after TICKS intervals without progress; a hidden page does not count them. */
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
/** Calls for when the tables are here again. */
let away: (() => void)[] = [];
/** Messages for when the tables can be played. */
let early: ToWorker[] = [];
const pending = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
const channels = new Map<number, Channel>();

/** Report the worker's state, now and whenever it changes. Returns a function that stops it. */
export function watch(listener: (state: State) => void): () => void {
  watching.add(listener);
  listener(state);
  return () => watching.delete(listener);
}

/** Start the worker, unless it was started. `take`: even if another tab has the tables. */
export function start(take = false): void {
  if (started) return;
  started = true;
  // Only a worker started after this loads its files through the service worker, which keeps them.
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
  own.onmessage = ({ data }: MessageEvent<FromWorker>) => own === worker && hear(data);
  own.onerror = (event) => {
    event.preventDefault();
    console.error(event);
    if (own === worker) fail(event.message ?? ''); // empty if its script did not arrive
  };
  const root = new URL('./', document.baseURI).href;
  own.postMessage({ type: 'start', root, how } satisfies ToWorker);
}

/** End the worker, which takes up a hundred megabytes. */
function dismiss(): void {
  worker?.terminate();
  worker = null;
}

/** Give up on files that do not arrive. */
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

/** Wait for the tables that another tab has, while the page is visible. */
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

/** Call back once, when the tables are here again after another tab had them. */
export function whenBack(call: () => void): void {
  away.push(call);
}

/** Reload this page, and take the tables from the other tab. */
export function playHere(): void {
  store(TAKE, '1', 'sessionStorage');
  location.reload();
}

/** Delete all games that are kept, and reload this page. */
export function deleteGames(): void {
  const deleting = indexedDB.deleteDatabase(databaseOf(new URL('./', document.baseURI).href));
  // Without locks, another tab may hold it open: it is deleted once that is closed.
  deleting.onsuccess = deleting.onerror = deleting.onblocked = () => location.reload();
}

/** Take the tables back from the other tab. */
function takeOver(): void {
  dismiss();
  started = warned = false;
  become({ phase: 'loading', done: 0, total: 0 });
  start(true);
}

/** Send a request as to a server, with a path such as `/api/me`. Rejects if there is no answer. */
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
export function connect(url: string): Channel {
  const { pathname, search } = new URL(url);
  // A person who reconnects after a notice that another tab has the tables wants them here.
  if (state.phase === 'elsewhere' && warned) takeOver();
  start();
  return new Channel(`/ws/${pathname.split('/').at(-1)}`, search.slice(1));
}

/** A connection to a table, as `game/socket` needs it. */
class Channel {
  readyState = 0;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent<string>) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  readonly #number = ++number;

  constructor(path: string, query: string) {
    channels.set(this.#number, this);
    post({ type: 'connect', number: this.#number, path, query });
    queueMicrotask(() => {
      if (isGone(state)) giveUp(state.phase);
      else if (state.phase !== 'ready') this.open(); // it may take long, and the page says so
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
    channels.delete(this.#number);
    this.onclose?.(new CloseEvent('close', { code }));
  }
}

function post(message: ToWorker): void {
  if (state.phase === 'ready') worker?.postMessage(message);
  else early.push(message);
}

function hear(message: FromWorker): void {
  switch (message.type) {
    case 'state':
      if (message.state.phase === 'failed') fail(message.state.error);
      else become(message.state);
      break;
    case 'answer':
      pending.get(message.number)?.resolve(message);
      pending.delete(message.number);
      break;
    case 'opened':
      channels.get(message.number)?.open();
      break;
    case 'said':
      sitDown();
      channels.get(message.number)?.receive(message.text);
      break;
    case 'closed':
      channels.get(message.number)?.end(message.code);
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

/** Whether requests get no answers. */
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

/** Fail everything pending, because it will get no answer. */
function giveUp(why: Gone['phase']): void {
  early = [];
  warned = why === 'elsewhere' && (warned || channels.size > 0);
  for (const { reject } of pending.values()) reject(new Error(why));
  pending.clear();
  for (const channel of [...channels.values()])
    channel.end(why === 'elsewhere' ? CLOSE.elsewhere : LOST);
}
