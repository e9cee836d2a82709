import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import english from '../../../../src/rage/locale/en.json';
import { rulesNamed } from '../../offline/names';
import { beginRound, newSheet } from '../../offline/sheet';
import { writeLink } from '../../offline/sheet_link';
import type { ShownSheet } from '../../protocol';
import { Refusal } from '../../shell/api';
import { use } from '../../say';
import { Watching } from './watching.svelte';

/** A request that the server has not answered yet. */
interface Asked {
  readonly what: string;
  readonly body: Record<string, unknown>;
  answer(shown: ShownSheet | Refusal): Promise<void>;
}

/** The requests since the last look, oldest first. */
const requests: Asked[] = [];
const api = vi.hoisted(() => ({ ask: (_what: string, _body: unknown): Promise<unknown> => null! }));
vi.mock(import('../../shell/api'), async (original) => ({
  ...(await original()),
  lieBelow: () => undefined,
  get: (path: string) => api.ask(path, {}) as never,
  send: (_method: string, path: string, body?: unknown) => api.ask(path, body) as never,
}));
api.ask = (what, body) =>
  new Promise((resolve, reject) => {
    requests.push({
      what,
      body: body as Record<string, unknown>,
      async answer(said) {
        if (said instanceof Refusal) reject(said);
        else resolve(said);
        await vi.advanceTimersByTimeAsync(0);
      },
    });
  });

const link = writeLink(beginRound(newSheet(rulesNamed('poof+hidden-bids'), ['Ann', 'Ben'], {})));
/** A sheet of two players, whose first round has begun. */
function told(changes: Partial<ShownSheet> = {}): ShownSheet {
  const usual = { code: 'abcd', opened: 1, heard: null, game: 'one', sheet: link, hidden: true };
  return { ...usual, have_bid: [], asked: [0, 1], phones: [null, null], ...changes };
}
/** The pending request, which must be the only one. */
function next(what: string): Asked {
  expect(requests.map((each) => each.what)).toEqual([what]);
  return requests.pop()!;
}
/** The look at the sheet that comes with time, not answered yet. */
async function look(): Promise<Asked> {
  await vi.advanceTimersByTimeAsync(4000);
  return next(LOOK);
}
/** Bid, and let the server answer. */
async function bid(n: number, answer: ShownSheet | Refusal): Promise<void> {
  void watching.bid(n);
  await next(BID).answer(answer);
}
const [LOOK, JOIN, BID] = ['sheets/abcd', 'sheets/abcd/phones', 'sheets/abcd/bids'];

let watching: Watching;
let end: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  use('en', english);
  const nothing = () => undefined;
  const listening = { addEventListener: nothing, removeEventListener: nothing };
  vi.stubGlobal('document', { hidden: false, ...listening });
  for (const [name, value] of Object.entries(listening)) vi.stubGlobal(name, value);
  requests.length = 0;
  watching = new Watching('abcd', nothing);
  end = watching.follow();
  await vi.advanceTimersByTimeAsync(0);
  await next(LOOK).answer(told());
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const joined = told({ phones: [1, null] });
const haveBid = told({ phones: [1, null], have_bid: [0], asked: [1] });

async function join(): Promise<void> {
  void watching.join('Ann');
  await next(JOIN).answer(joined);
}

it('sends a bid once, though the sheet was asked for just before', async () => {
  await join();
  const before = await look();
  void watching.bid(3);
  const made = next(BID);
  await before.answer(joined); // as it stood before the bid
  expect(requests).toEqual([]);
  await made.answer(haveBid);
  expect([watching.made, watching.asked, watching.refused]).toEqual([3, false, '']);
});

it('believes no answer that is older than what it has sent', async () => {
  const before = await look();
  await join();
  await before.answer(told()); // which knows of no phone
  expect([watching.phone?.name, watching.notice]).toMatchObject(['Ann', { phones: [1, null] }]);
  const other = await look();
  await bid(3, haveBid);
  await other.answer(joined);
  expect([watching.asked, requests]).toEqual([false, []]);
});

it('does nothing by itself while something is on its way, and tells what is new', async () => {
  await join();
  void watching.bid(3);
  const made = next(BID);
  await (await look()).answer({ ...joined, heard: 7 });
  expect([watching.notice?.heard, requests]).toEqual([7, []]);
  await made.answer(haveBid);
  expect(watching.made).toBe(3);
});

it('sends again what could not be sent', async () => {
  await join();
  await bid(3, new Refusal('offline'));
  expect([watching.made, watching.refused]).toEqual([3, 'offline']);
  await (await look()).answer(joined);
  const again = next(BID);
  expect(again.body).toMatchObject({ name: 'Ann', game: 'one', round: 1, bid: 3 });
  await again.answer(haveBid);
  expect([watching.made, watching.refused]).toEqual([3, '']);
});

it('forgets a bid that was refused', async () => {
  await join();
  await bid(3, new Refusal('no', 409, 'score.bid_made'));
  expect([watching.made, watching.refused]).toEqual([null, 'no']);
});

it('sends a changed bid again, and has the one before where it comes too late', async () => {
  await join();
  await bid(3, haveBid);
  expect([watching.changes, watching.waits]).toEqual([true, false]);
  await bid(5, new Refusal('offline'));
  expect([watching.made, watching.waits]).toEqual([5, true]);
  await (await look()).answer(haveBid);
  const again = next(BID);
  expect(again.body).toMatchObject({ bid: 5 });
  await again.answer(new Refusal('no', 409, 'score.bid_made'));
  expect([watching.made, watching.waits]).toEqual([3, false]);
});

it('joins again after a restart of the server, and then bids again', async () => {
  await join();
  await bid(3, haveBid);
  await (await look()).answer(told({ opened: 2 }));
  await next(JOIN).answer(told({ opened: 2, phones: [1, null] }));
  await (await look()).answer(told({ opened: 2, phones: [1, null] }));
  await next(BID).answer({ ...haveBid, opened: 2 });
  expect(watching.made).toBe(3);
});

it('proves a name by the same secret when it is asked for again', async () => {
  void watching.join('Ann');
  const first = next(JOIN);
  await first.answer(new Refusal('offline')); // perhaps the server has heard it
  void watching.join('Ann');
  expect(next(JOIN).body['proof']).toBe(first.body['proof']);
});

it('says in a sentence that it cannot read a sheet', async () => {
  await join();
  await bid(3, { ...haveBid, sheet: '1.new.new' });
  expect([watching.made, watching.refused]).toEqual([3, english['score.not_a_link']]);
});
