// One WebSocket for each table (docs/protocol.md): it reconnects by itself, requests missed
// messages, and resolves or rejects every command. It knows nothing of the contents.

import { type Announcement, CLOSE, type Pong } from '../protocol.ts';
import type { ChatLines, Command, Message, Reacted, Refused, Update, FullTable } from './types.ts';
import { connect, whenBack } from '../alone/home.ts';
import type { WireReason } from '../say.ts';

/** `away`: reconnecting. `elsewhere`: another window has taken over. `closed`: for good. */
export type Link = 'connecting' | 'open' | 'away' | 'elsewhere' | 'closed';

/** Why a table is closed for good; names its sentence (`page.table.ended.none`). */
export type Ended = Exclude<keyof typeof CLOSE, 'elsewhere'>;
const ENDED: readonly Ended[] = ['foreign', 'none', 'removed', 'broken'];

/** Why a table is closed for good, from the close code; null if it is not. */
export function endedBy(code: number): Ended | null {
  return ENDED.find((each) => CLOSE[each] === code) ?? null;
}

/** Milliseconds before each reconnection attempt: short at first, then up to the maximum. */
const RETRY_MS = [0, 150, 300, 500, 800, 1000, 1200];
const MAX_RETRY_MS = 1500;
/** The close code of a connection that was opened but stayed silent. */
export const MUTE = 4990;
/** Milliseconds for a connection and its first message; each further attempt gets as much again. */
const CONNECT_MS = 6_000;
const MAX_CONNECT_MS = 18_000;
/** Milliseconds of silence before the server is pinged: at any time, and while a command waits for
 * its answer. A server that hangs keeps its connections, and so do some proxies. (A worker of this
 * browser may only be busy.) */
const SILENCE_MS = __ALONE__ ? 15_000 : 4_000;
const PENDING_MS = __ALONE__ ? 15_000 : 2_000;
/** Milliseconds for the answer to a ping, at least; and how many times the slowest recent answer: a
 * slow network is not a lost one. */
const ANSWER_MS = __ALONE__ ? 6_000 : 2_000;
const SLOWER = 4;
const MAX_SLOWEST_MS = 5_000;
/** How much of the slowest answer is kept when a quicker one comes. */
const FADE = 0.9;
/** The `since` that requests the whole table. */
const NO_EVENT = 0;

/** A command that was refused, or may not have arrived. */
export class NotDone extends Error {
  readonly reason: WireReason | null;

  constructor(reason: WireReason | null) {
    super('not done');
    this.reason = reason;
  }
}

export interface Connection {
  readonly readyState: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent<string>) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

export interface Listener {
  /** The address, with the number of the last known event, if any. */
  url(since: number | null): string;
  /** The number of the last known event. */
  seq(): number | null;
  /** Receive a message. Returns `false` if events before it are missing. */
  receive(message: FullTable | Update): boolean;
  /** Receive chat lines. */
  receiveChat(message: ChatLines): void;
  /** Receive a reaction. */
  receiveReaction(message: Reacted): void;
  /** Show what the operator of the server tells everyone. */
  announce(message: Announcement): void;
  /** `tries` counts failed connections in a row. */
  link(link: Link, code: number, tries: number): void;
  /** How far the server clock is ahead, in milliseconds. */
  clock(clockOffset: number): void;
}

interface PendingCommand {
  readonly command: Command;
  readonly done: () => void;
  readonly failed: (error: NotDone) => void;
  /** Whether to resend it after a lost connection. */
  readonly again: boolean;
}

export class TableSocket {
  #connection: Connection | null = null;
  #pending = new Map<number, PendingCommand>();
  #number = 0;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #link: Link = 'connecting';
  #gaps = 0;
  #slowest = 0;
  #greeting: (() => object) | null = null;
  readonly #listener: Listener;
  readonly #make: (url: string) => Connection;

  constructor(
    listener: Listener,
    make: (url: string) => Connection = __ALONE__ ? connect : (url) => new WebSocket(url),
  ) {
    this.#listener = listener;
    this.#make = make;
  }

  /** Connect, or reconnect at once; also takes over from another window. */
  connect(): void {
    clearTimeout(this.#timer);
    this.#drop();
    if (this.#link !== 'away') this.#become('connecting', 0);
    const since = this.#gaps > 1 ? null : this.#listener.seq();
    const connection = this.#make(this.#listener.url(since));
    this.#connection = connection;
    this.#expect(Math.min(CONNECT_MS * (1 + this.#tries), MAX_CONNECT_MS));
    connection.onopen = () => this.#opened();
    connection.onmessage = (event) => this.#heard(event.data);
    connection.onclose = (event) => this.#closed(connection, event.code);
  }

  /** Reconnect now, or check the connection: the network is back, or the page is visible again. */
  hurry(): void {
    if (this.#link === 'open') this.#ask();
    if (this.#link !== 'away') return;
    this.#tries = 0;
    if (this.#connection === null) this.connect();
  }

  /** Close for good. Pending commands fail. */
  close(): void {
    clearTimeout(this.#timer);
    this.#drop();
    this.#become('closed', 0);
    this.#failAll(() => true);
  }

  /** Send a command. Resolves once it is done and its update was received; rejects with `NotDone`.
   * */
  do(command: Command): Promise<void> {
    const id = ++this.#number;
    const again = command.type === 'play' || command.type === 'change_bid';
    return new Promise((done, failed) => {
      if (this.#link !== 'open' && !again) return failed(new NotDone(null));
      this.#pending.set(id, { command, done, failed, again });
      if (this.#link !== 'open') return;
      this.#send({ id, do: command });
      if (this.#pending.size === 1) this.#listen();
    });
  }

  /** Send a message now and after each reconnection. */
  greet(greeting: () => object): void {
    this.#greeting = greeting;
    this.#send(greeting());
  }

  #send(message: object): void {
    if (this.#connection?.readyState === 1) this.#connection.send(JSON.stringify(message));
  }

  /** Wait for a first message, because a proxy may open the connection and pass nothing on. */
  #opened(): void {
    if (__ALONE__) this.#begin(); // its worker may take long, but is sure to answer
    this.#send({ ping: Date.now() });
    if (this.#greeting) this.#send(this.#greeting());
  }

  #begin(): void {
    this.#become('open', 0);
    this.#listen();
    for (const [id, { command }] of this.#pending) this.#send({ id, do: command });
  }

  #heard(text: string): void {
    this.#tries = 0;
    if (this.#link !== 'open') this.#begin();
    const message = JSON.parse(text) as Message;
    if (message.type === 'refused') this.#refused(message);
    else if (message.type === 'chat') this.#listener.receiveChat(message);
    else if (message.type === 'reaction') this.#listener.receiveReaction(message);
    else if (message.type === 'announcement') this.#listener.announce(message);
    else if (message.type === 'pong') this.#answered(message);
    else this.#update(message);
    if (this.#connection) this.#listen();
  }

  #answered({ ping, now }: Pong): void {
    const took = Math.min(Date.now() - ping, MAX_SLOWEST_MS);
    this.#slowest = Math.max(took, this.#slowest * FADE);
    this.#listener.clock(now - Date.now());
  }

  #update(message: FullTable | Update): void {
    const joins = this.#listener.receive(message);
    if (joins) this.#gaps = 0;
    else this.#fill();
    const id = message.type === 'update' ? message.id : undefined;
    if (id === undefined || id === null) return;
    this.#pending.get(id)?.done();
    this.#pending.delete(id);
  }

  /** Request the missing events, or everything if that does not help. */
  #fill(): void {
    this.#gaps += 1;
    const seq = this.#listener.seq();
    if (this.#gaps > 3) this.#connection?.close(4000);
    else this.#send({ since: this.#gaps > 1 || seq === null ? NO_EVENT : seq });
  }

  #refused({ id, reason }: Refused): void {
    if (id === null) return;
    const asked = this.#pending.get(id);
    this.#pending.delete(id);
    if (reason.code === 'table.doubled') asked?.done();
    else asked?.failed(new NotDone(reason));
  }

  #closed(connection: Connection, code: number): void {
    if (connection !== this.#connection) return;
    this.#connection = null;
    clearTimeout(this.#quiet);
    this.#failAll(({ again }) => !again);
    if (code === CLOSE.elsewhere) {
      if (__ALONE__) whenBack(() => this.#link === 'elsewhere' && this.connect());
      return this.#become('elsewhere', code);
    }
    if (endedBy(code)) {
      this.#become('closed', code);
      return this.#failAll(() => true);
    }
    const wait = RETRY_MS[this.#tries] ?? MAX_RETRY_MS;
    this.#tries += 1;
    this.#become('away', code);
    this.#timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  #failAll(which: (asked: PendingCommand) => boolean): void {
    for (const [id, asked] of this.#pending) {
      if (!which(asked)) continue;
      this.#pending.delete(id);
      asked.failed(new NotDone(null));
    }
  }

  /** Ping the server after a long silence. */
  #listen(): void {
    clearTimeout(this.#quiet);
    const silence = this.#pending.size > 0 ? PENDING_MS : SILENCE_MS;
    this.#quiet = setTimeout(() => this.#ask(), silence);
  }

  #ask(): void {
    this.#send({ ping: Date.now() });
    this.#expect(Math.max(ANSWER_MS, SLOWER * this.#slowest));
  }

  /** Give up on a server that does not answer. */
  #expect(patience: number): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#lose(), patience);
  }

  #lose(): void {
    const connection = this.#connection;
    if (!connection) return;
    connection.onmessage = null;
    const mute = this.#link !== 'open' && connection.readyState === 1;
    this.#closed(connection, mute ? MUTE : 1006);
    connection.close();
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = null;
    clearTimeout(this.#quiet);
    connection?.close(1000);
  }

  #become(link: Link, code: number): void {
    this.#link = link;
    this.#listener.link(link, code, this.#tries);
  }
}
