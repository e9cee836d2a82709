// HTTP with the server (docs/protocol.md): typed, retried, and every failure a sentence.

import { spoken, t } from '../say';
import { Refusal } from './failing';

export { explain, Refusal } from './failing';

const TIMEOUT_MS = 15_000;
/** How long to wait before a read is tried again, in milliseconds. */
const RETRY_MS = [250, 1000];

/** Where the server begins, from the page on. */
let server = './';

/** Say that the page lies in a folder below the server, as the score sheet does. */
export function lieBelow(): void {
  server = '../';
}

/** Read. A lost connection and a server that is just starting are tried again. */
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

/** Change something. Never tried again by itself. */
export function send<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  return ask<T>(method, path, {}, body);
}

export type Query = Readonly<Record<string, string | number | null | undefined>>;

/** The address of something below `api/`, with the language of the page. */
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
    data = parsed(await response.text()); // half an answer is none
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(t(navigator.onLine ? 'page.error.unreachable' : 'page.error.offline'));
  }
  if (response.ok) return data as T;
  throw refusal(response.status, data);
}

/** What a body says; null where it says nothing in JSON, as a proxy's own pages do. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Ends as soon as one of them does: `AbortSignal.any` is younger than our oldest browsers. */
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
