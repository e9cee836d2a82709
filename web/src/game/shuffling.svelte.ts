// What this browser adds to the shuffle of a table, as the page shows it: what I have typed, what is
// wrong, and that my word is missing.

import type { Shuffle } from '../fair/shuffle.ts';
import type { Alarm } from '../fair/witness.ts';
import { t, type WireReason } from '../say';
import { stored } from '../stored';
import type { Note } from './narrator.svelte.ts';
import type { Command, TableView } from './types.ts';

/** What it takes of a table. */
interface Context {
  readonly code: string;
  readonly table: TableView | null;
  ask(command: Command): Promise<string | null>;
  say(text: string): void;
  refuse(reason: WireReason): void;
}

/** How long it is shown that my word is missing, in milliseconds. */
const MISSING_MS = 8000;

export class Shuffling {
  /** What I have typed for the shuffle, and what is wrong with it. */
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

  /** While people gather: that the deals may be known to somebody. */
  get #given(): Note | null {
    const { table } = this.#of;
    if (!table?.given || table.phase !== 'gathering') return null;
    const text = t('page.table.given');
    return { text, heard: text, kind: 'plain' };
  }

  /** Add to the shuffle before a game, and watch over what was noted of it; `anew`: I have just come.
   * What does that is loaded only where there is something to do. */
  update(known: TableView, anew: boolean): void {
    const { given, phase } = known;
    const early = !given && (phase === 'gathering' || phase === 'revealing'); // given deals take no words
    if (early || (anew && hasNotes(this.#of.code))) this.#shuffle ??= this.#load();
    // As it is now: while that is loaded, the game may begin.
    void this.#shuffle?.then((shuffle) => shuffle?.update(known));
  }

  /** Add a word of my own; whether the table has it. */
  async addWord(typed: string): Promise<boolean> {
    if (this.#of.table?.given) this.#of.refuse({ code: 'table.word.given' });
    return (await (await this.#shuffle)?.add(typed)) ?? false;
  }

  /** Another window counts now, and adds its own. */
  forget(): void {
    void this.#shuffle?.then((shuffle) => shuffle?.forget());
  }

  /** The table is left. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#missing = null;
  }

  /** Say that my word is not in the shuffle, for long enough to be read. */
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
      this.#shuffle = null; // there is no network; the next message tries again
      return null;
    }
  }
}

/** Whether anything was noted of a table (fair/witness.ts) at an earlier visit. */
function hasNotes(code: string): boolean {
  return stored('rage.witness')?.includes(`"${code}/`) ?? false;
}
