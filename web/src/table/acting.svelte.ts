// What touching a card does: it is played, asks for its colour, waits for my turn, or says why not.

import { cardOf, split } from '../codes';
import type { TableStore } from '../game/table.svelte';
import { t } from '../say';
import { settings } from '../settings.svelte';
import { announce } from '../shell/Live.svelte';
import { onceDrawn } from './frames';

/** For how long after a play no touch counts, in milliseconds: the hand closes up meanwhile, and
 * another card slides under the finger. */
const REST_MS = 400;

export class Acting {
  /** The card that was touched once, and is played or queued by a second touch. */
  chosen = $state<string | null>(null);
  /** The card that is to be called a colour or to name one; `later`: on my turn. */
  asking = $state.raw<{ card: string; later: boolean } | null>(null);
  readonly #store: TableStore;
  /** My last move: at which ply, and when. */
  #made = { ply: -1, at: -REST_MS };

  constructor(store: TableStore) {
    this.#store = store;
  }

  pick(code: string): void {
    const store = this.#store;
    // Only a reason why not may be asked for so soon.
    if (this.#rests && !(store.myTurn && store.movesOf(code).length === 0)) return;
    if (store.cancelMove()) return;
    // On my turn I need not wait for what still moves.
    if (store.turn && store.busy) store.skip();
    if (store.bidding) return store.say(t('page.table.bids_first'), 'refusal');
    if (!store.myTurn) return this.#wait(code);
    const moves = store.movesOf(code);
    if (moves.length === 0) return store.refuse(store.whyNot(code));
    if (settings.guard === 'tap' && this.chosen !== code)
      return this.#choose(code, t('page.table.tap_again'));
    if (moves.length === 1) this.#make(moves[0]!);
    else this.asking = { card: code, later: false };
  }

  /** Whether a card has just been played, and was not taken back. */
  get #rests(): boolean {
    const { pending, table } = this.#store;
    if (performance.now() > this.#made.at + REST_MS) return false;
    return pending !== null || table?.ply !== this.#made.ply;
  }

  /** A colour was chosen. */
  choose(move: string): void {
    const asked = this.asking;
    if (asked?.later && !this.#store.myTurn) {
      this.asking = null;
      return this.#queue(move);
    }
    this.#make(move);
  }

  /** Choose another card. */
  cancel(): void {
    this.asking = null;
    this.chosen = null;
  }

  /** Take back what can be taken back, and show at once what still moves. */
  escape(): void {
    if (this.#store.cancelMove()) return;
    this.#store.queued = null;
    this.chosen = null;
    this.#store.skip();
  }

  /** A card was touched once, and waits for the second touch. */
  #choose(code: string, says: string): void {
    this.chosen = code;
    this.#store.say(says);
  }

  /** Queue a card for my turn with a second touch; one more takes it back. */
  #wait(code: string): void {
    const { pending, table, queued } = this.#store;
    if (pending || table?.phase !== 'playing') return;
    if (queued !== null && cardOf(queued) === code) {
      this.#store.queued = null;
      return announce(t('page.table.unqueued.mine'));
    }
    if (this.chosen !== code) return this.#choose(code, t('page.table.queue_again'));
    this.chosen = null;
    if (split(table.naming).includes(code)) this.asking = { card: code, later: true };
    else this.#queue(code);
  }

  #queue(move: string): void {
    this.#store.queued = move;
    announce(t('page.table.queued'));
  }

  #make(move: string): void {
    // The card flies first, and then the pad goes: both at once are more than a slow phone can draw.
    this.chosen = null;
    const { asking } = this;
    if (asking) onceDrawn(() => (this.asking === asking ? (this.asking = null) : null));
    this.#made = { ply: this.#store.table?.ply ?? -1, at: performance.now() };
    this.#store.play(move);
  }
}
