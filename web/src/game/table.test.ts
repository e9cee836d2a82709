import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import english from '../../../src/rage/locale/en.json';
import { use } from '../say.ts';
import { TableStore } from './table.svelte.ts';

class FakeWire {
  readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  sent: any[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {}
  constructor() {
    made(this);
  }
}

let wire: FakeWire;
const made = (one: FakeWire) => (wire = one);
let store: TableStore;
let close: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  use('en', english);
  const nothing = () => undefined;
  const listening = { addEventListener: nothing, removeEventListener: nothing };
  const document = { baseURI: 'http://here/', hidden: false, title: 'Rage', ...listening };
  const browser = { ...listening, document, window: globalThis, WebSocket: FakeWire };
  for (const [name, value] of Object.entries(browser)) vi.stubGlobal(name, value);
  store = new TableStore('abcdefgh');
  close = store.open();
  wire.onopen?.();
});
afterEach(() => {
  close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const line = (number: number) => ({
  number, at: 0, person: 'b', name: 'Ben', text: 'Hi', preset: null,
}); // prettier-ignore

/** The server's messages about a table where Ann plays with Ben, in a round with a hand. */
function tell({
  round = 1,
  hand = 'R5 B3',
  to_act = 1,
  ply = 10,
  more = {},
  chat = [] as object[],
}) {
  const table = {
    seq: ply, ply, games: 1, phase: 'playing', host: 'a', given: true, practice: false, chat,
    settings: { edition: 'poof' }, options: {}, naming: '', between: null,
    me: { person: 'a', seat: 0, looking: null, muted: [] },
    seats: [{ name: 'Ann', person: 'a', bot: null }, { name: 'Ben', person: 'b', bot: null }],
    spectators: [],
    game: {
      seat: 0, players: ['Ann', 'Ben'], hand, to_act, bidding: false, over: false,
      rounds: [{ number: round, hand_size: 2, tricks: [], trump_changes: [], points: null }],
    },
  }; // prettier-ignore
  const turn = to_act === 0 ? { turn: { ply, legal: hand, why_not: [] } } : {};
  const message = { type: 'table', seq: ply, now: Date.now(), you: 'a', table, ...turn, ...more };
  wire.onmessage?.({ data: JSON.stringify(message) });
}

test('what was said is kept when the whole table is sent again', () => {
  tell({ chat: [line(1), line(2)] });
  tell({ chat: [line(2), line(3)] });
  expect(store.chat.map(({ number }) => number)).toEqual([1, 2, 3]);
});

test.each([
  ['in the next round', { round: 2, ply: 20 }],
  ['after decisions were taken back', { ply: 11, more: { undone: 1 } }],
])('a card that was queued is not played %s', (_, then) => {
  tell({});
  store.moves.queue('R5');
  tell({ to_act: 0, ...then });
  vi.advanceTimersByTime(1000);
  expect(wire.sent.filter((message) => message.do?.type === 'play')).toEqual([]);
  expect(store.moves.queued).toBeNull();
});

test('the only possible card plays itself, unless it was taken back or needs a choice', () => {
  const turn = (ply: number, legal: string) => ({ to_act: 0, ply, more: { turn: { ply, legal } } });
  tell({ hand: 'R5', ...turn(11, 'R5') });
  expect([store.moves.auto, store.auto?.text]).toEqual([
    'R5',
    expect.stringContaining('your last card'),
  ]);
  tell({ hand: 'R5', to_act: 0, ply: 11, more: { undone: 1 } });
  expect(store.moves.auto).toBeNull();
  tell({ hand: 'R5 B3', ...turn(12, 'B3') });
  expect([store.moves.auto, store.auto?.text]).toEqual([
    'B3',
    expect.stringContaining('only card you can play'),
  ]);
  tell({ hand: 'W', ...turn(13, 'WR WO WY WG WB WP') });
  expect(store.moves.auto).toBeNull();
  tell({ hand: 'R5', ...turn(14, '1') }); // a bid
  expect(store.moves.auto).toBeNull();
});

test('nothing signals my turn any more once it has passed', () => {
  Object.assign(document, { hidden: true });
  tell({ to_act: 0 });
  vi.advanceTimersByTime(1000);
  expect(document.title).toBe('Your turn!');
  tell({ to_act: 1, ply: 11 });
  expect(document.title).toBe('Rage');
  vi.advanceTimersByTime(1000);
  expect(document.title).toBe('Rage');
});
