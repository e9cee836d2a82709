// My moves at a table: when it is my turn and what I may do, the move that is not stored yet, and
// the move queued for my turn.

import { cardOf, isBid, split } from '../codes.ts';
import { t, type WireReason } from '../say';
import { settings } from '../settings.svelte';
import { announce } from '../shell/Live.svelte';
import { stopSignals } from './attention.ts';
import { type Narrator, playSound } from './narrator.svelte.ts';
import { sealedBid, sealedBids } from './sealed.ts';
import type { Command, TableView, Turn } from './types.ts';

/** A move that is not stored yet; `held` during the moment before it is sent. */
export interface Pending {
  readonly ply: number;
  readonly move: string;
  readonly held: boolean;
}

/** A chosen card, or a move with it, and the hand it belongs to. */
export interface Chosen {
  readonly move: string;
  readonly hand: string;
}

/** The parts of a table needed here. */
interface Context {
  /** The table as drawn. */
  readonly table: TableView | null;
  /** Whether the drawn table lags behind the known one. */
  readonly busy: boolean;
  readonly bidding: boolean;
  do(command: Command): Promise<boolean>;
  refuse(reason: WireReason): void;
}

/** Milliseconds in which a move can be cancelled, if the settings ask for that. */
const CANCEL_MS = 1600;
/** The pause before a queued card is played, in milliseconds: the least, and the random addition.
 * */
const PAUSE_MS = 280;
const MORE_PAUSE_MS = 520;

export class Moves {
  turn = $state.raw<Turn | null>(null);
  pending = $state.raw<Pending | null>(null);
  #queued = $state.raw<Chosen | null>(null);
  /** Whether I am about to change my bid. */
  changing = $state(false);
  /** The current decision, and the last one that was announced. */
  #ply = $state(-1);
  #at = -1;
  /** The decision left to me although only one card is possible, because it was taken back. */
  #left = $state(-1);
  #told = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #of: Context;
  readonly #narrator: Narrator;

  constructor(of: Context, narrator: Narrator) {
    this.#of = of;
    this.#narrator = narrator;
  }

  /** Whether I may decide now. */
  get mine(): boolean {
    const may = this.turn !== null && !this.#of.busy && this.pending === null;
    return may && (this.changing || this.sealed === null);
  }

  /** The number of my decision. */
  get ply(): number {
    return this.#ply;
  }

  /** My bid, if all bid at the same time and I can still change it. */
  get sealed(): number | null {
    return this.#of.table && sealedBid(this.#of.table);
  }

  get legal(): readonly string[] {
    return this.mine ? split(this.turn!.legal) : [];
  }

  /** Why a card cannot be played or a bid not made; null if it can, or if it is not my turn. */
  whyNot(code: string): WireReason | null {
    const found = this.mine
      ? this.turn!.why_not?.find(([codes]) => split(codes).includes(code))
      : undefined;
    return found ? { card: code, ...found[1] } : null;
  }

  /** The moves that play a card: several if a colour is to be named. */
  of(card: string): string[] {
    return this.legal.filter((move) => cardOf(move) === card && !isBid(move));
  }

  /** Choose a card, or a move with it, from the current hand. */
  chosen(move: string): Chosen {
    return { move, hand: this.#hand };
  }

  /** The choice, or null once the card has left that hand. */
  stillChosen(chosen: Chosen | null): string | null {
    if (!chosen || chosen.hand !== this.#hand) return null;
    const held = split(this.#of.table?.game?.hand ?? '');
    return held.includes(cardOf(chosen.move)) ? chosen.move : null;
  }

  /** Identifies the hand I hold by game, round and seat. */
  get #hand(): string {
    const { games, game, me } = this.#of.table ?? {};
    return `${games} ${game?.rounds.at(-1)?.number} ${me?.seat}`;
  }

  /** The move queued for my turn, if legal by then. */
  get queued(): string | null {
    return this.stillChosen(this.#queued);
  }

  /** Queue a move for my turn; null for none. */
  queue(move: string | null): void {
    this.#queued = move === null ? null : this.chosen(move);
  }

  /** The only possible card, which plays itself if the settings say so; null while there is a
   * choice, or a hint to read, and after it was taken back. */
  get auto(): string | null {
    const [only, more] = this.legal;
    if (!settings.single || only === undefined || more !== undefined || isBid(only)) return null;
    const waits = this.turn!.hint || this.queued !== null || this.#left === this.#ply;
    return waits ? null : only;
  }

  /** Leave a taken-back decision to me. */
  leaveToMe(ply: number): void {
    this.queue(null);
    this.#left = ply;
  }

  /** Make a move. It is shown at once, and sent at once or after a moment in which it can be
   * cancelled. */
  play(move: string): void {
    if (!this.mine) return;
    const held = settings.guard === 'moment' && !isBid(move);
    this.queue(null);
    this.#narrator.clear();
    this.pending = { ply: this.#ply, move, held };
    this.changing = false;
    if (!isBid(move)) playSound('card');
    stopSignals();
    clearTimeout(this.#timer);
    if (held) this.#timer = setTimeout(() => void this.#send(), CANCEL_MS);
    else void this.#send();
  }

  /** Cancel a move that has not been sent. Returns whether there was one. */
  cancel(): boolean {
    if (!this.pending?.held) return false;
    clearTimeout(this.#timer);
    this.#left = this.pending.ply;
    this.pending = null;
    return true;
  }

  async #send(): Promise<void> {
    const { pending } = this;
    if (!pending) return;
    const sent = { ...pending, held: false };
    this.pending = sent;
    const type = this.sealed === null ? 'play' : 'change_bid';
    const done = await this.#of.do({ type, ply: sent.ply, move: sent.move });
    if ((!done || type === 'change_bid') && this.pending === sent) this.pending = null;
  }

  /** Follow the known table: is it my turn? */
  know(known: TableView, turn: Turn | null | undefined): void {
    const seat = known.me?.seat ?? null;
    const due = known.game?.to_act === seat || sealedBids(known) !== null;
    const mine = known.phase === 'playing' && seat !== null && due;
    if (turn) [this.turn, this.#ply, this.#at] = [turn, turn.ply ?? known.ply, known.ply];
    else if (!mine || this.#at !== known.ply || known.seats[seat]?.bot) {
      if (this.turn) stopSignals();
      this.turn = null;
      this.changing = false;
    }
    if (this.pending && this.pending.ply < known.ply) clearTimeout(this.#timer);
  }

  /** Follow the drawn table: a stored move is part of it. */
  draw(table: TableView): void {
    const { pending } = this;
    const bid = sealedBid(table);
    const sealed = bid !== null && pending?.move === String(bid);
    if (pending && (sealed || pending.ply < table.ply)) this.pending = null;
    if (sealed) announce(t('page.table.bid.yours', { bid }));
  }

  /** Everything known is drawn: announce my turn, or make the queued move. */
  begin(): void {
    if (!this.turn) return;
    if (this.#told !== this.#ply) {
      this.#told = this.#ply;
      if (!this.queued && this.sealed === null) this.#narrator.tellMyTurn();
    }
    this.#checkQueue();
  }

  /** Play the queued card after a short pause, or say why it cannot be played. */
  #checkQueue(): void {
    const { queued } = this;
    if (queued === null || !this.mine || this.#of.bidding) return;
    if (this.legal.includes(queued)) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(
        () => {
          if (this.queued === queued && this.legal.includes(queued)) this.play(queued);
        },
        PAUSE_MS + Math.random() * MORE_PAUSE_MS,
      );
      return;
    }
    this.queue(null);
    this.#of.refuse(this.whyNot(cardOf(queued)) ?? { code: 'page.table.unqueued' });
    playSound('turn');
  }

  /** Leave the table: drop any queued or unsent move. */
  leave(): void {
    clearTimeout(this.#timer);
  }
}
