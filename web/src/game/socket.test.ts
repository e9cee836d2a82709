import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Connection, type Link, type Listener, MUTE, NotDone, TableSocket } from './socket.ts';
import type { Update, FullTable } from './types.ts';

class FakeWire implements Connection {
  readyState = 0;
  onopen: ((event: unknown) => void) | null = null;
  onmessage: ((event: unknown) => void) | null = null;
  onclose: ((event: unknown) => void) | null = null;
  sent: any[] = [];
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.({});
  }
  /** Let the client in, and answer its first ping. */
  welcome(): void {
    this.open();
    this.tell({ type: 'pong', ping: Date.now(), now: Date.now() });
  }
  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  end(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

let wires: FakeWire[];
let links: Link[];
let codes: number[];
let taken: (FullTable | Update)[];
let seq: number | null;
let joins: boolean;
let socket: TableSocket;
const last = () => wires.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  [wires, links, codes, taken, seq, joins] = [[], [], [], [], null, true];
  const listener: Listener = {
    url: (since) => `ws://here/${since}`,
    seq: () => seq,
    receive: (message) => {
      if (joins) taken.push(message);
      return joins;
    },
    receiveReaction: () => undefined,
    announce: () => undefined,
    receiveChat: () => undefined,
    link: (link, code) => {
      links.push(link);
      codes.push(code);
    },
    clock: () => undefined,
  };
  socket = new TableSocket(listener, (url) => {
    wires.push(new FakeWire(url));
    return last();
  });
  socket.connect();
  last().welcome();
});
afterEach(() => {
  socket.close();
  vi.useRealTimers();
});

test('a play outlives a lost connection, another command does not', async () => {
  const play = socket.do({ type: 'play', ply: 5, move: 'R3' });
  const pause = socket.do({ type: 'pause' });
  seq = 7;
  last().end(1006);
  await expect(pause).rejects.toBeInstanceOf(NotDone);
  expect(links.at(-1)).toBe('away');
  vi.advanceTimersByTime(400);
  expect(wires).toHaveLength(2);
  expect(last().url).toBe('ws://here/7');
  last().welcome();
  const again = last().sent.filter((message) => message.do);
  expect(again).toEqual([{ id: 1, do: { type: 'play', ply: 5, move: 'R3' } }]);
  last().tell({ type: 'refused', id: 1, reason: { code: 'table.doubled' } });
  await play;
});

test('within two seconds it has tried again, however long the server was away', () => {
  for (let i = 0; i < 20; i++) {
    last().end(1006);
    const before = wires.length;
    vi.advanceTimersByTime(2000);
    expect(wires.length).toBeGreaterThan(before);
  }
});

test('a server that lets in and hangs up without a word is not tried all the time', () => {
  for (let i = 0; i < 8; i++) {
    last().open();
    last().end(1012);
    vi.advanceTimersByTime(2000);
  }
  last().open();
  last().end(1012);
  const before = wires.length;
  vi.advanceTimersByTime(500);
  expect(wires).toHaveLength(before);
  vi.advanceTimersByTime(1500);
  last().welcome();
  last().end(1012);
  vi.advanceTimersByTime(10);
  expect(wires.length).toBeGreaterThan(before + 1);
});

test('a gap is filled, and where that does not help, everything is asked for', () => {
  seq = 3;
  joins = false;
  last().tell({ type: 'update', seq: 9, at: 0, events: [] });
  expect(last().sent.at(-1)).toEqual({ since: 3 });
  last().tell({ type: 'update', seq: 9, at: 0, events: [] });
  expect(last().sent.at(-1)).toEqual({ since: 0 });
  joins = true;
  last().tell({ type: 'table', seq: 9 });
  expect(taken).toHaveLength(1);
});

test('elsewhere and for good are not tried again', () => {
  last().end(4001);
  expect(links.at(-1)).toBe('elsewhere');
  vi.advanceTimersByTime(60_000);
  expect(wires).toHaveLength(1);
  socket.connect();
  expect(wires).toHaveLength(2);
  last().open();
  last().end(4010);
  expect(links.at(-1)).toBe('closed');
  vi.advanceTimersByTime(60_000);
  expect(wires).toHaveLength(2);
});

test('a server that says nothing is asked, then given up', () => {
  vi.advanceTimersByTime(4000);
  expect(last().sent.at(-1)).toHaveProperty('ping');
  vi.advanceTimersByTime(2000);
  expect(links.at(-1)).toBe('away');
  vi.advanceTimersByTime(300);
  expect(wires).toHaveLength(2);
});

test('a server that does not answer a command is given up sooner', () => {
  socket.do({ type: 'play', ply: 5, move: 'R3' }).catch(() => undefined);
  vi.advanceTimersByTime(4000);
  expect(links.at(-1)).toBe('away');
});

test('one whose database is slow is not: it answers the ping', () => {
  socket.do({ type: 'play', ply: 5, move: 'R3' }).catch(() => undefined);
  for (let i = 0; i < 5; i++) {
    vi.advanceTimersByTime(2000);
    last().tell({ type: 'pong', ping: Date.now(), now: 1 });
  }
  expect(links.at(-1)).toBe('open');
  expect(wires).toHaveLength(1);
});

test('a phone whose answers take three seconds is not cut off by its own page', () => {
  const slow = () => {
    const ping = Date.now();
    vi.advanceTimersByTime(3000);
    last().tell({ type: 'pong', ping, now: 1 });
  };
  slow();
  for (let i = 1; i < 9; i++) {
    void socket.do({ type: 'play', ply: i, move: 'R3' });
    vi.advanceTimersByTime(3000);
    last().tell({ type: 'update', seq: i, at: 0, events: [], id: i });
    vi.advanceTimersByTime(4000);
    slow();
  }
  expect(wires).toHaveLength(1);
  last().end(1006);
  vi.advanceTimersByTime(100);
  vi.advanceTimersByTime(6000 + 200);
  vi.advanceTimersByTime(9000);
  last().welcome();
  expect(links.at(-1)).toBe('open');
});

test('a proxy that lets in and passes nothing on is found out at once', () => {
  last().end(1006);
  vi.advanceTimersByTime(1);
  vi.advanceTimersByTime(1000);
  last().open();
  expect(links.at(-1)).toBe('away');
  codes.length = 0;
  vi.advanceTimersByTime(12_000);
  expect(codes[0]).toBe(MUTE);
});

test('a device that has slept asks at once, and does not wait long', () => {
  const before = last().sent.length;
  socket.hurry();
  expect(last().sent.slice(before)).toEqual([{ ping: Date.now() }]);
  last().tell({ type: 'pong', ping: Date.now(), now: 1 });
  vi.advanceTimersByTime(2500);
  expect(links.at(-1)).toBe('open');
  socket.hurry();
  vi.advanceTimersByTime(2500);
  expect(links).toContain('away');
  expect(wires).toHaveLength(2);
});

test('a command while away fails at once, a play waits', async () => {
  last().end(1006);
  await expect(socket.do({ type: 'chat', text: 'x' })).rejects.toBeInstanceOf(NotDone);
  const play = socket.do({ type: 'play', ply: 1, move: '2' });
  vi.advanceTimersByTime(500);
  last().welcome();
  const { id } = last().sent.find((message) => message.do);
  last().tell({ type: 'update', seq: 1, at: 0, events: [], id });
  await play;
});

test('a greeting is sent at once and after each reconnection, as it is then', () => {
  let taught = ['bid'];
  socket.greet(() => ({ coach: taught }));
  const greetings = () => last().sent.filter((message) => 'coach' in message);
  expect(greetings()).toEqual([{ coach: ['bid'] }]);
  taught = ['bid', 'follow'];
  last().end(1006);
  vi.advanceTimersByTime(2000);
  last().open();
  expect(greetings()).toEqual([{ coach: ['bid', 'follow'] }]);
});
