// HTTP requests to the server (docs/protocol.md): typed, retried, and with every failure as a
// sentence.

import * as alone from '../alone/home';
import { spoken, t } from '../say';
import { Refusal } from './failing';

export { explain, Refusal } from './failing';

const TIMEOUT_MS = 15_000;
/** Milliseconds before each retry of a read. */
const RETRY_MS = [250, 1000];

/** The root of the server, relative to the page. */
let server = './';

/** Set that root for a page in a folder below the server, such as the score sheet. */
export function lieBelow(): void {
  server = '../';
}

/** Send a read. Retried after a lost connection, or while the server is starting. */
export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  for (const wait of RETRY_MS) {
    try {
      return await ask<T>('GET', path, query, undefined, signal);
    } catch (error) {
      if (!isPassing(error) || signal?.aborted) throw error;
      await new Promise((resume) => setTimeout(resume, wait));
    }
  }
  return ask<T>('GET', path, query, undefined, signal);
}

/** Send a change. Never retried. */
export function send<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  return ask<T>(method, path, {}, body);
}

export type Query = Readonly<Record<string, string | number | null | undefined>>;

/** The address of a path below `api/`, with the language of the page. */
export function apiUrl(path: string, query: Query = {}): URL {
  const url = new URL(`${server}api/${path}`, document.baseURI);
  for (const [key, value] of Object.entries({ ...query, lang: spoken() })) {
    if (value !== null && value !== undefined) url.searchParams.set(key, String(value));
  }
  return url;
}

async function ask<T>(
  method: string,
  path: string,
  query: Query,
  body: unknown,
  signal?: AbortSignal,
): Promise<T> {
  if (__ALONE__) return askAlone<T>(method, path, query, body);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const request: RequestInit = {
    method,
    headers: {
      'X-Rage': '1',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    signal: signal ? either(signal, timeout) : timeout,
  };
  if (body !== undefined) request.body = JSON.stringify(body);
  let response: Response;
  let data: unknown;
  try {
    response = await fetch(apiUrl(path, query), request);
    data = parsed(await response.text()); // an incomplete answer counts as none
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(t(navigator.onLine ? 'page.error.unreachable' : 'page.error.offline'));
  }
  if (response.ok) return data as T;
  throw refusal(response.status, data);
}

/** Send the same to the worker that has the tables, without a server. */
async function askAlone<T>(method: string, path: string, query: Query, body: unknown): Promise<T> {
  const { pathname, searchParams } = apiUrl(path, query);
  const answer = await alone
    .request(
      method,
      pathname.slice(pathname.lastIndexOf('/api/')),
      searchParams.toString(),
      body === undefined ? null : JSON.stringify(body),
      spoken(),
    )
    .catch(() => {
      throw new Refusal(''); // `alone/Notes` says why, for the whole page
    });
  const data = parsed(answer.body);
  if (answer.status < 300) return data as T;
  throw refusal(answer.status, data);
}

/** A body as JSON; null for anything else, such as a proxy's own pages. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Aborts when any of them does; `AbortSignal.any` is newer than our oldest browsers. */
function either(...signals: AbortSignal[]): AbortSignal {
  const both = new AbortController();
  for (const each of signals) {
    if (each.aborted) both.abort(each.reason);
    else each.addEventListener('abort', () => both.abort(each.reason), { once: true });
  }
  return both.signal;
}

function refusal(status: number, data: unknown): Refusal {
  const { text, reason } = (data ?? {}) as { text?: unknown; reason?: { code?: unknown } };
  const code = typeof reason?.code === 'string' ? reason.code : '';
  if (typeof text === 'string') return new Refusal(text, status, code);
  return new Refusal(t(status >= 500 ? 'page.error.server' : 'page.error.unknown'), status, code);
}

function isPassing(error: unknown): boolean {
  return error instanceof Refusal && [0, 502, 503, 504].includes(error.status);
}
