// What a touch of a card comes to: it is played, or asks for its colour, waits for my turn, or says
// why not.

import { cardOf } from '../game/cards';
import type { TableStore } from '../game/table.svelte';
import { t } from '../say';
import { settings } from '../settings.svelte';
import { announce } from '../shell/Live.svelte';

export class Acting {
  /** The card touched once, where it takes a second touch. */
  chosen = $state<string | null>(null);
  /** The card that is to be called a colour or to name one; `later`: on my turn. */
  asking = $state.raw<{ card: string; later: boolean } | null>(null);
  readonly #store: TableStore;

  constructor(store: TableStore) {
    this.#store = store;
  }

  pick(code: string): void {
    const store = this.#store;
    if (store.takeBack()) return;
    // Whoever plays on their turn need not wait for what still moves.
    if (store.turn && store.busy) store.skip();
    if (store.bidding) return store.say(t('page.table.bids_first'), 'refusal');
    if (!store.myTurn) return this.#wait(code);
    const moves = store.movesOf(code);
    if (moves.length === 0) return store.refuse(store.whyNot(code));
    if (settings.guard === 'tap' && this.chosen !== code) {
      this.chosen = code;
      return announce(t('page.table.tap_again'));
    }
    if (moves.length === 1) this.#make(moves[0]!);
    else this.asking = { card: code, later: false };
  }

  /** A colour was chosen. */
  choose(move: string): void {
    const later = this.asking?.later;
    this.asking = null;
    if (later && !this.#store.myTurn) this.#queue(move);
    else this.#make(move);
  }

  /** Think again. */
  cancel(): void {
    this.asking = null;
    this.chosen = null;
  }

  /** Take back what can be taken back, and show at once what still moves. */
  escape(): void {
    if (this.#store.takeBack()) return;
    this.#store.queued = null;
    this.chosen = null;
    this.#store.skip();
  }

  /** A card for when my turn comes; touched again, it is one no more. */
  #wait(code: string): void {
    const { pending, table, queued } = this.#store;
    if (pending || table?.phase !== 'playing') return;
    if (queued !== null && cardOf(queued) === code) {
      this.#store.queued = null;
      return announce(t('page.table.unqueued.mine'));
    }
    const named = code === 'W' || (code === 'C' && table.settings.change === 'choose');
    if (named) this.asking = { card: code, later: true };
    else this.#queue(code);
  }

  #queue(move: string): void {
    this.#store.queued = move;
    announce(t('page.table.queued'));
  }

  #make(move: string): void {
    this.cancel();
    this.#store.play(move);
  }
}
