// What touching a card does: it is played, asks for its colour, is queued for my turn, or a
// sentence says why not.

import { cardOf, split } from '../codes';
import type { Chosen } from '../game/moves.svelte';
import type { TableStore } from '../game/table.svelte';
import { t } from '../say';
import { settings } from '../settings.svelte';
import { announce } from '../shell/Live.svelte';
import { onceDrawn } from './frames';

/** Milliseconds after a play in which touches do not count: the hand closes up, and another card
 * slides under the finger. */
const REST_MS = 400;

export class Acting {
  #chosen = $state.raw<Chosen | null>(null);
  #asking = $state.raw<(Chosen & { later: boolean }) | null>(null);
  /** The card that needs a colour; `later` if it is for my turn. */
  readonly asking = $derived.by(() => {
    const card = this.#store.moves.stillChosen(this.#asking);
    return card === null ? null : { card, later: this.#asking!.later };
  });
  readonly #store: TableStore;
  /** My last move: its ply and its time. */
  #made = { ply: -1, at: -REST_MS };

  constructor(store: TableStore) {
    this.#store = store;
  }

  /** The card touched once, which a second touch plays or queues. */
  get chosen(): string | null {
    return this.#store.moves.stillChosen(this.#chosen);
  }

  /** Handle the touch of a card; `sure` if no second touch is needed. */
  pick(code: string, sure = false): void {
    const store = this.#store;
    // so soon, a touch can only ask why not
    if (!sure && this.#rests && !(store.moves.mine && store.moves.of(code).length === 0)) return;
    if (store.moves.cancel()) return;
    // On my turn I need not wait for animations.
    if (store.moves.turn && store.busy) store.skip();
    if (store.bidding) return store.say(t('page.table.bids_first'), 'refusal');
    if (!store.moves.mine) return this.#wait(code);
    const moves = store.moves.of(code);
    if (moves.length === 0) return store.refuse(store.moves.whyNot(code));
    if (settings.guard === 'tap' && !sure && this.chosen !== code)
      return this.#choose(code, t('page.table.tap_again'));
    if (moves.length === 1) this.#make(moves[0]!);
    else this.#ask(code, false);
  }

  /** Whether a card was just played, and not taken back. */
  get #rests(): boolean {
    const { moves, table } = this.#store;
    if (performance.now() > this.#made.at + REST_MS) return false;
    return moves.pending !== null || table?.ply !== this.#made.ply;
  }

  /** Handle the choice of a colour. */
  choose(move: string): void {
    const asked = this.asking;
    if (this.#store.moves.mine) return this.#make(move);
    this.#asking = null;
    if (asked?.later) this.#queue(move);
    else this.#store.say(t('page.table.unqueued')); // my turn is over
  }

  /** Cancel, to choose another card. */
  cancel(): void {
    this.#asking = null;
    this.#chosen = null;
  }

  /** Take back what can be taken back, and finish animations at once. */
  escape(): void {
    const { moves } = this.#store;
    if (moves.cancel()) return;
    if (moves.queued !== null) announce(t('page.table.unqueued.mine'));
    moves.queue(null);
    moves.changing = false;
    this.#chosen = null;
    this.#store.skip();
  }

  /** Remember a card that was touched once, and waits for a second touch. */
  #choose(code: string, says: string): void {
    this.#chosen = this.#store.moves.chosen(code);
    this.#store.say(says);
  }

  /** Queue a card for my turn with a second touch; another touch removes it. */
  #wait(code: string): void {
    const { moves, table } = this.#store;
    if (moves.pending || table?.phase !== 'playing') return;
    if (moves.queued !== null && cardOf(moves.queued) === code) {
      moves.queue(null);
      return announce(t('page.table.unqueued.mine'));
    }
    if (this.chosen !== code) return this.#choose(code, t('page.table.queue_again'));
    this.#chosen = null;
    if (split(table.naming).includes(code)) this.#ask(code, true);
    else this.#queue(code);
  }

  /** Ask for the colour of a card. */
  #ask(code: string, later: boolean): void {
    this.#asking = { ...this.#store.moves.chosen(code), later };
  }

  #queue(move: string): void {
    this.#store.moves.queue(move);
    announce(t('page.table.queued'));
  }

  #make(move: string): void {
    // The card flies before the pad closes, because both at once are too slow on some phones.
    this.#chosen = null;
    const asking = this.#asking;
    if (asking) onceDrawn(() => (this.#asking === asking ? (this.#asking = null) : null));
    this.#made = { ply: this.#store.table?.ply ?? -1, at: performance.now() };
    this.#store.moves.play(move);
  }
}
