// This browser's contribution to the shuffle, as the page shows it: the typed word, errors, and a
// missing word.

import type { Shuffle } from '../fair/shuffle.ts';
import type { Alarm } from '../fair/witness.ts';
import { t, type WireReason } from '../say';
import { readStored } from '../stored';
import type { Note } from './narrator.svelte.ts';
import type { Command, TableView } from './types.ts';

/** The parts of a table needed here. */
interface Context {
  readonly code: string;
  readonly table: TableView | null;
  ask(command: Command): Promise<string | null>;
  say(text: string): void;
  refuse(reason: WireReason): void;
}

/** How long a missing word is reported, in milliseconds. */
const MISSING_MS = 8000;

export class Shuffling {
  /** The typed word, and its error. */
  typed = $state('');
  alarm = $state.raw<Alarm | null>(null);
  #missing = $state.raw<Note | null>(null);
  #shuffle: Promise<Shuffle | null> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #of: Context;

  constructor(of: Context) {
    this.#of = of;
  }

  /** A line that stays for a while whatever else is said. */
  get note(): Note | null {
    return this.#missing ?? this.#given;
  }

  /** A warning, while people gather, that someone may know the deals. */
  get #given(): Note | null {
    const { table } = this.#of;
    if (!table?.given || table.event || table.phase !== 'gathering') return null;
    const text = t('page.table.given');
    return { text, heard: text, kind: 'plain' };
  }

  /** Contribute to the shuffle before a game, and check the notes on it; `justArrived`: whether I
   * have just come to the table. Its code is only loaded if there is something to do. */
  update(known: TableView, justArrived: boolean): void {
    const { given, phase } = known;
    const early = !given && (phase === 'gathering' || phase === 'revealing'); // not for given deals
    if (early || (justArrived && hasNotes(this.#of.code))) this.#shuffle ??= this.#load();
    // a copy, because the game may begin while the code is loaded
    void this.#shuffle?.then((shuffle) => shuffle?.update(known, justArrived));
  }

  /** Report a command that I have sent. */
  sent(command: Command): void {
    void this.#shuffle?.then((shuffle) => shuffle?.sent(command));
  }

  /** Add a word of my own. Returns whether the table accepted it. */
  async addWord(typed: string): Promise<boolean> {
    if (this.#of.table?.given) this.#of.refuse({ code: 'table.word.given' });
    return (await (await this.#shuffle)?.add(typed)) ?? false;
  }

  /** Another window has taken over, and contributes itself. */
  forget(): void {
    void this.#shuffle?.then((shuffle) => shuffle?.forget());
  }

  /** Leave the table. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#missing = null;
  }

  /** Say that my word is missing, long enough to be read. */
  #miss(): void {
    const text = t('page.table.word_missing');
    this.#of.say(text);
    this.#missing = { text, heard: text, kind: 'plain' };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#missing = null), MISSING_MS);
  }

  async #load(): Promise<Shuffle | null> {
    try {
      const { Shuffle } = await import('../fair/shuffle.ts');
      return new Shuffle({
        code: this.#of.code,
        ask: (command) => this.#of.ask(command),
        tell: (typed, alarm) => Object.assign(this, { typed, alarm }),
        miss: () => this.#miss(),
      });
    } catch {
      this.#shuffle = null; // no network; retried at the next message
      return null;
    }
  }
}

/** Whether an earlier visit noted anything about a table (fair/witness.ts). */
function hasNotes(code: string): boolean {
  return readStored('rage.witness')?.includes(`"${code}/`) ?? false;
}
