// The coach at a usual table: a hint of the server at my turns, until I have had enough of it.

import { untrack } from 'svelte';
import { split } from '../codes';
import type { TableStore } from '../game/table.svelte';
import { line, t } from '../say';
import { announce } from '../shell/Live.svelte';
import type { Coach, Lesson } from './coach';
import { coaching } from './coaching.svelte';

export class Hints implements Coach {
  readonly #store: TableStore;
  readonly on = $derived.by(() => coaching.on && this.#store.seat !== null);
  readonly #hint = $derived.by(() => {
    const { moves } = this.#store;
    return this.on && moves.mine ? (moves.turn?.hint ?? null) : null;
  });
  /** Whether the reason of a trick is the first one read here. */
  #first = $state(false);
  readonly lesson = $derived.by((): Lesson | null => {
    const [hint, { note, trickCleared }] = [this.#hint, this.#store];
    if (this.#first && note && !trickCleared) {
      const add = (words: string) => `${words} ${t('page.coach.go_on')}`;
      const { text, heard, marked } = note;
      return {
        said: { text: add(text), heard: add(heard), ...(marked && { marked: add(marked) }) },
      };
    }
    if (!hint) return null;
    const { reason, cards = '', seats = [], bid = null, had, lessons } = hint;
    return {
      said: line(reason, this.#store.telling),
      lit: { cards: split(cards), seats, bid },
      far: { had, lessons },
      choices: [{ label: t('page.coach.end'), icon: 'close', onchoose: () => this.#end() }],
    };
  });

  /** Create within a component. */
  constructor(store: TableStore) {
    this.#store = store;
    let heard = '';
    $effect(() => {
      if (!this.on) return;
      // Asking again after each answer would never end.
      untrack(() =>
        store.askForHints(
          () => coaching.taught.filter((topic) => topic !== store.moves.turn?.hint?.topic),
          (kind) => this.#isNew(kind),
        ),
      );
      return () => store.askForHints(() => null);
    });
    $effect(() => {
      const hint = this.#hint;
      if (!hint) return;
      untrack(() => {
        const { topic } = hint;
        if (topic && !coaching.taught.includes(topic))
          coaching.keep({ taught: [...coaching.taught, topic] });
        const said = line(hint.reason, store.telling).heard;
        const once = `${store.table?.ply} ${said}`;
        if (once !== heard) announce(said); // only once, even after a reconnection
        heard = once;
      });
    });
  }

  /** Whether a reason is new here. The first one also says how to go on. */
  #isNew(kind: string): boolean {
    const { reasons } = coaching;
    this.#first = reasons.length === 0;
    if (reasons.includes(kind)) return false;
    coaching.keep({ reasons: [...reasons, kind] });
    return true;
  }

  #end(): void {
    coaching.turn(false);
    announce(t('page.coach.ended'));
  }
}
