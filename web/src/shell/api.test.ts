import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import en from '../../../src/rage/locale/en.json';
import { t, use } from '../say';
import { explain, get, Refusal, send } from './api';

const answers: (Response | Error)[] = [];
const asked = vi.fn(async (_url: URL, _request: RequestInit) => {
  const answer = answers.shift();
  if (answer instanceof Response) return answer;
  throw answer ?? new Error('nobody there');
});
const json = (data: unknown, status = 200) => new Response(JSON.stringify(data), { status });

beforeEach(() => {
  use('en', en);
  answers.length = 0;
  asked.mockClear();
  vi.stubGlobal('fetch', asked);
  vi.stubGlobal('document', { baseURI: 'http://rage.example/cards/' });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('setTimeout', (then: () => void) => then());
});
afterEach(() => vi.unstubAllGlobals());

it('asks below the base, in the language spoken, with the header', async () => {
  answers.push(json({ left: [] }));
  expect(await get('box', { answers: '1,2', none: null })).toEqual({ left: [] });
  const [url, request] = asked.mock.calls[0]!;
  expect(String(url)).toBe('http://rage.example/cards/api/box?answers=1%2C2&lang=en');
  expect(request.headers).toMatchObject({ 'X-Rage': '1' });
});

it('reads again what a starting server or a lost connection kept it from', async () => {
  answers.push(json(null, 503), new TypeError('failed'), json({ fine: true }));
  expect(await get('tables')).toEqual({ fine: true });
  expect(asked).toHaveBeenCalledTimes(3);
});

it('reads again what broke off in the middle of the answer', async () => {
  const half = new ReadableStream({
    start: (body) => body.enqueue(new TextEncoder().encode('{"mine": [')),
    pull: (body) => body.error(new TypeError('gone')),
  });
  answers.push(new Response(half), json({ mine: [], open: [] }));
  expect(await get('tables')).toEqual({ mine: [], open: [] });
});

it('gives up in the end, with a sentence', async () => {
  await expect(get('tables')).rejects.toThrow(t('page.error.unreachable'));
  expect(asked).toHaveBeenCalledTimes(3);
});

it('does not send again what changes something', async () => {
  answers.push(json(null, 503), json({ table: 'abcdefgh' }));
  await expect(send('POST', 'tables', { rules: 'poof' })).rejects.toThrow(t('page.error.server'));
  expect(asked).toHaveBeenCalledTimes(1);
  expect(asked.mock.calls[0]![1].body).toBe('{"rules":"poof"}');
});

it('tells what the server refused in its words, at once', async () => {
  answers.push(json({ reason: { code: 'table.full' }, text: 'The table is full.' }, 409));
  const error = await get('tables/abcdefgh').catch((each: unknown) => each);
  expect(error).toBeInstanceOf(Refusal);
  expect(error).toMatchObject({ status: 409, code: 'table.full', message: 'The table is full.' });
  expect(asked).toHaveBeenCalledTimes(1);
});

it('ends with its caller, or when it takes too long', async () => {
  const patience = new AbortController();
  vi.stubGlobal('AbortSignal', { timeout: () => patience.signal });
  const signals = async (asker: AbortController) => {
    answers.push(json({}));
    await get('tables', {}, asker.signal);
    return asked.mock.calls.at(-1)![1].signal!;
  };
  const asker = new AbortController();
  const [first, second] = [await signals(asker), await signals(new AbortController())];
  asker.abort();
  expect([first.aborted, second.aborted]).toEqual([true, false]);
  expect((await signals(asker)).aborted).toBe(true);
  patience.abort(new Error('late'));
  expect(second.reason).toEqual(new Error('late'));
});

it('has a sentence for everything', () => {
  expect(explain(new TypeError('x is undefined'))).toBe(t('page.error.unknown'));
});
