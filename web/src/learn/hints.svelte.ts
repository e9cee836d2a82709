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
  readonly lesson = $derived.by((): Lesson | null => {
    const hint = this.#hint;
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
        store.askForHints(() =>
          coaching.taught.filter((topic) => topic !== store.moves.turn?.hint?.topic),
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

  #end(): void {
    coaching.turn(false);
    announce(t('page.coach.ended'));
  }
}
