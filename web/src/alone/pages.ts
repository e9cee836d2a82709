// A file in Python's memory. The browser keeps each changed page of it, in one IndexedDB
// transaction, which is on the disk when it completes.

import { SILENT } from './messages.ts';

/** The part of Emscripten's file system used here; its files are in memory. */
interface FileNode {
  contents: Uint8Array;
  usedBytes: number;
  stream_ops: { write: (stream: unknown, from: Uint8Array, ...rest: number[]) => number };
  node_ops: { setattr: (node: FileNode, attributes: { size?: number }) => void };
}
export interface FileSystem {
  writeFile(path: string, data: Uint8Array): void;
  lookupPath(path: string): { node: FileNode };
}

/** The bytes of a page of SQLite. */
const PAGE = 4096;
const PAGES = 'pages';
const FACTS = 'facts';

/** Another tab keeps the file now. */
export class Elsewhere extends Error {}

/** The browser's database does not answer; it may or may not have kept the last changes. */
export class Silent extends Error {
  override message = SILENT;
}

/** A database is silent after TICKS intervals without an answer; a frozen page does not count
 * them. */
const TICKS = 10;
const TICK_MS = 1000;

/** Open a database of the browser; null if it allows none, or does not answer. */
export async function openDatabase(name: string): Promise<IDBDatabase | null> {
  try {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      for (const store of [PAGES, FACTS]) opening.result.createObjectStore(store);
    };
    return await inTime(done(opening));
  } catch {
    return null;
  }
}

export class Pages {
  /** Whether anything outlasts this tab. */
  kept: boolean;
  /** Whether nothing was kept before. */
  fresh = true;
  /** Whether the browser has removed the kept pages, which are still in memory. */
  lost = false;
  #database: IDBDatabase | null;
  readonly #owner = crypto.getRandomValues(new Uint32Array(4)).join();
  #node!: FileNode;
  /** The pages changed since the file was kept, as they were then. */
  #before = new Map<number, Uint8Array>();
  #size = 0;

  constructor(database: IDBDatabase | null) {
    this.#database = database;
    this.kept = database !== null;
  }

  /** Write the kept file, claim it for this owner alone, and watch it. */
  async restore(files: FileSystem, path: string): Promise<void> {
    let data = new Uint8Array();
    try {
      data = await inTime(this.#take());
    } catch (error) {
      if (!(error instanceof Silent)) throw error;
      this.kept = false;
      this.#database = null;
    }
    files.writeFile(path, data);
    this.#node = files.lookupPath(path).node;
    this.#size = this.#node.usedBytes;
    this.fresh = this.#size === 0;
    this.#watch();
  }

  async #take(): Promise<Uint8Array<ArrayBuffer>> {
    if (!this.#database) return new Uint8Array();
    const [pages, facts, ended] = await this.#begin();
    facts.put(this.#owner, 'owner');
    const [numbers, found, size] = await Promise.all([
      done(pages.getAllKeys()),
      done(pages.getAll() as IDBRequest<Uint8Array[]>),
      done(facts.get('size') as IDBRequest<number | undefined>),
    ]);
    await ended;
    const data = new Uint8Array(size ?? 0);
    found.forEach((page, index) => data.set(page, Number(numbers[index]) * PAGE));
    return data;
  }

  /** Note each page before it changes. */
  #watch(): void {
    const { stream_ops: streams, node_ops: nodes } = this.#node;
    this.#node.stream_ops = {
      ...streams,
      write: (stream, from, offset = 0, length = 0, position = 0, ...rest) => {
        this.#note(position, position + length);
        return streams.write(stream, from, offset, length, position, ...rest);
      },
    };
    this.#node.node_ops = {
      ...nodes,
      setattr: (node, attributes) => {
        const { size } = attributes;
        if (size !== undefined) {
          this.#note(Math.min(size, node.usedBytes), Math.max(size, node.usedBytes));
        }
        nodes.setattr(node, attributes);
      },
    };
  }

  #note(from: number, to: number): void {
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page += 1) {
      if (!this.#before.has(page)) this.#before.set(page, this.#page(page).slice());
    }
  }

  #page(number: number): Uint8Array {
    const { contents, usedBytes } = this.#node;
    return contents.subarray(number * PAGE, Math.min((number + 1) * PAGE, usedBytes));
  }

  /** Resolves once all changes are on the disk. If that fails, they are undone and it rejects; with
   * `Silent` if it is unknown what is on the disk. */
  async keep(): Promise<void> {
    const before = this.#before;
    this.#before = new Map();
    try {
      if (this.kept && before.size) await inTime(this.#put([...before.keys()]));
    } catch (error) {
      if (this.#size || error instanceof Elsewhere) {
        this.#undo(before);
        throw error;
      }
      this.kept = false; // nothing was ever kept, and nothing will be
    }
    this.#size = this.#node.usedBytes;
  }

  async #put(changed: number[]): Promise<void> {
    const [pages, facts, ended, transaction] = await this.#begin({ durability: 'strict' });
    const owner = await done(facts.get('owner') as IDBRequest<string | undefined>);
    const size = this.#node.usedBytes;
    if (owner === undefined) {
      // Browsers drop a database if the device is full: everything is written again.
      this.lost = true;
      changed = Array.from({ length: Math.ceil(size / PAGE) }, (_, page) => page);
    } else if (owner !== this.#owner) {
      transaction.abort();
      await ended.catch(() => undefined);
      throw new Elsewhere();
    }
    try {
      if (this.lost) facts.put(this.#owner, 'owner');
      facts.put(size, 'size');
      for (const page of changed) {
        if (page * PAGE < size) pages.put(this.#page(page).slice(), page);
        else pages.delete(page);
      }
    } catch (error) {
      transaction.abort(); // or the pages put so far would be kept
      throw error;
    }
    await ended;
    this.lost = false;
  }

  #undo(before: ReadonlyMap<number, Uint8Array>): void {
    const node = this.#node;
    node.node_ops.setattr(node, { size: this.#size });
    for (const [number, page] of before) {
      if (number * PAGE < this.#size) node.contents.set(page, number * PAGE);
    }
    this.#before.clear();
  }

  async #begin(options?: IDBTransactionOptions) {
    const begin = () => this.#database!.transaction([PAGES, FACTS], 'readwrite', options);
    let transaction;
    try {
      transaction = begin();
    } catch (error) {
      // Browsers close databases by themselves, as iOS does while a page is in the background.
      if ((error as DOMException).name !== 'InvalidStateError') throw error;
      this.#database = (await openDatabase(this.#database!.name)) ?? this.#database;
      transaction = begin();
    }
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
    });
    ended.catch(() => undefined); // awaited later, if at all
    return [
      transaction.objectStore(PAGES),
      transaction.objectStore(FACTS),
      ended,
      transaction,
    ] as const;
  }
}

/** Wait for the database. Rejects with `Silent` if it takes too long. */
function inTime<T>(awaited: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
      if (ticks === TICKS) end(() => reject(new Silent()));
    }, TICK_MS);
    const end = (settle: () => void) => {
      clearInterval(ticking);
      settle();
    };
    awaited.then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error as Error)),
    );
  });
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
