// One WebSocket a table (docs/protocol.md): it comes again by itself, asks for what it has missed,
// and tells every command's sender what became of it. It knows nothing of what it carries.

import type { Command, Message, Refused, Update, Whole } from './types.ts';
import type { WireReason } from '../say.ts';

/** `away`: trying again. `elsewhere`: another window counts now. `closed`: for good. */
export type Link = 'connecting' | 'open' | 'away' | 'elsewhere' | 'closed';

export const CLOSE = { elsewhere: 4001, foreign: 4003, none: 4004, removed: 4010 } as const;
const FOR_GOOD: readonly number[] = [CLOSE.foreign, CLOSE.none, CLOSE.removed];

/** How long to wait before trying again: quickly at first, never longer than this. */
const WAITS = [0, 150, 300, 500, 800, 1000, 1200];
const LONGEST = 1500;
/** After how long without a word the server is asked whether it is there, and given up. */
const QUIET = 15_000;
const PATIENCE = 6_000;
/** Who asks what came after no event at all is told the whole table. */
const NEVER = 0;

/** A command that was refused, or of which nobody knows whether it arrived. */
export class NotDone extends Error {
  readonly reason: WireReason | null;

  constructor(reason: WireReason | null) {
    super('not done');
    this.reason = reason;
  }
}

export interface Wire {
  readonly readyState: number;
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null;
  onclose: ((event: any) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

export interface Listener {
  /** The address to connect to, for who has the events up to a number, or none. */
  url(since: number | null): string;
  /** The number of the last event there is. */
  seq(): number | null;
  /** Take what was told; `false` where it does not join on to what there is. */
  take(message: Whole | Update): boolean;
  link(link: Link, code: number): void;
  /** How far the server's clock is ahead, in milliseconds. */
  clock(ahead: number): void;
}

interface Asked {
  readonly command: Command;
  readonly done: () => void;
  readonly failed: (error: NotDone) => void;
  /** Whether it is sent again after a lost connection. */
  readonly again: boolean;
}

export class TableSocket {
  #wire: Wire | null = null;
  #asked = new Map<number, Asked>();
  #number = 0;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #link: Link = 'connecting';
  #gaps = 0;
  readonly #listener: Listener;
  readonly #make: (url: string) => Wire;

  constructor(listener: Listener, make: (url: string) => Wire = (url) => new WebSocket(url)) {
    this.#listener = listener;
    this.#make = make;
  }

  /** Connect, or connect again at once: also from here instead of elsewhere. */
  connect(): void {
    clearTimeout(this.#timer);
    this.#drop();
    if (this.#link !== 'away') this.#become('connecting', 0);
    const since = this.#gaps > 1 ? null : this.#listener.seq();
    const wire = this.#make(this.#listener.url(since));
    this.#wire = wire;
    this.#wait(PATIENCE);
    wire.onopen = () => this.#opened();
    wire.onmessage = (event) => this.#heard(event.data as string);
    wire.onclose = (event) => this.#closed(wire, event.code as number);
  }

  /** Come again now, where that is being waited for: the network is back, the page is seen. */
  hurry(): void {
    if (this.#link !== 'away') return;
    this.#tries = 0;
    if (this.#wire === null) this.connect();
  }

  /** End it. What was asked and not answered fails. */
  close(): void {
    clearTimeout(this.#timer);
    this.#drop();
    this.#become('closed', 0);
    this.#failAll(() => true);
  }

  /** Send a command; resolves once it is done and told. Rejects with `NotDone`. */
  do(command: Command): Promise<void> {
    const id = ++this.#number;
    const again = command.type === 'play';
    return new Promise((done, failed) => {
      if (this.#link !== 'open' && !again) return failed(new NotDone(null));
      this.#asked.set(id, { command, done, failed, again });
      if (this.#link === 'open') this.#send({ id, do: command });
    });
  }

  #send(message: object): void {
    if (this.#wire?.readyState === 1) this.#wire.send(JSON.stringify(message));
  }

  #opened(): void {
    this.#become('open', 0);
    this.#wait(QUIET);
    this.#send({ ping: Date.now() });
    for (const [id, { command }] of this.#asked) this.#send({ id, do: command });
  }

  #heard(text: string): void {
    this.#tries = 0;
    this.#wait(QUIET);
    const message = JSON.parse(text) as Message;
    if (message.type === 'refused') this.#refused(message);
    else if (message.type === 'pong') this.#listener.clock(message.now - Date.now());
    else this.#told(message);
  }

  #told(message: Whole | Update): void {
    const joins = this.#listener.take(message);
    if (joins) this.#gaps = 0;
    else this.#fill();
    const id = message.type === 'update' ? message.id : undefined;
    if (id === undefined || id === null) return;
    this.#asked.get(id)?.done();
    this.#asked.delete(id);
  }

  /** Ask what is missing; where that does not help, for everything. */
  #fill(): void {
    this.#gaps += 1;
    const seq = this.#listener.seq();
    if (this.#gaps > 3) this.#wire?.close(4000);
    else this.#send({ since: this.#gaps > 1 || seq === null ? NEVER : seq });
  }

  #refused({ id, reason }: Refused): void {
    if (id === null) return;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (reason.code === 'table.doubled') asked?.done();
    else asked?.failed(new NotDone(reason));
  }

  #closed(wire: Wire, code: number): void {
    if (wire !== this.#wire) return;
    this.#wire = null;
    clearTimeout(this.#quiet);
    this.#failAll(({ again }) => !again);
    if (code === CLOSE.elsewhere) return this.#become('elsewhere', code);
    if (FOR_GOOD.includes(code)) {
      this.#become('closed', code);
      return this.#failAll(() => true);
    }
    this.#become('away', code);
    const wait = WAITS[this.#tries] ?? LONGEST;
    this.#tries += 1;
    this.#timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  #failAll(which: (asked: Asked) => boolean): void {
    for (const [id, asked] of this.#asked) {
      if (!which(asked)) continue;
      this.#asked.delete(id);
      asked.failed(new NotDone(null));
    }
  }

  /** Whoever says nothing for long is asked; whoever then says nothing is gone. */
  #wait(patience: number): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      if (patience === PATIENCE) return this.#lose();
      this.#send({ ping: Date.now() });
      this.#wait(PATIENCE);
    }, patience);
  }

  #lose(): void {
    const wire = this.#wire;
    if (!wire) return;
    wire.onmessage = null;
    this.#closed(wire, 1006);
    wire.close();
  }

  #drop(): void {
    const wire = this.#wire;
    this.#wire = null;
    clearTimeout(this.#quiet);
    wire?.close(1000);
  }

  #become(link: Link, code: number): void {
    this.#link = link;
    this.#listener.link(link, code);
  }
}
