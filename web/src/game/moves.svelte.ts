// My moves at a table: when it is my turn, and what I may do then; what I have done that is not stored
// yet; and what waits for my turn.

import { cardOf, isBid, split } from '../codes.ts';
import { t, type WireReason } from '../say';
import { settings } from '../settings.svelte';
import { announce } from '../shell/Live.svelte';
import { stopSignals } from './attention.ts';
import { type Narrator, playSound } from './narrator.svelte.ts';
import { sealedBid, sealedBids } from './sealed.ts';
import type { Command, TableView, Turn } from './types.ts';

/** A move of mine that is not stored yet; `held`: not even sent, for a moment. */
export interface Pending {
  readonly ply: number;
  readonly move: string;
  readonly held: boolean;
}

/** A card of mine that was chosen, or a move with it, and from which hand. */
export interface Chosen {
  readonly move: string;
  readonly hand: string;
}

/** What it takes of a table to make moves there. */
interface Context {
  /** What is drawn. */
  readonly table: TableView | null;
  /** Whether that is behind what is known. */
  readonly busy: boolean;
  readonly bidding: boolean;
  do(command: Command): Promise<boolean>;
  refuse(reason: WireReason): void;
}

/** How long a move can be cancelled, where the settings ask for that, in milliseconds. */
const CANCEL_MS = 1600;
/** The pause before a card that was queued is played, in milliseconds: at least, and how much longer
 * it may be. */
const PAUSE_MS = 280;
const MORE_PAUSE_MS = 520;

export class Moves {
  turn = $state.raw<Turn | null>(null);
  pending = $state.raw<Pending | null>(null);
  #queued = $state.raw<Chosen | null>(null);
  /** Whether I am about to change my bid. */
  changing = $state(false);
  /** Of which decision the turn is, at which of the table, and of which I have been told. */
  #ply = -1;
  #at = -1;
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

  /** My bid, where all bid at the same time and I may still change it. */
  get sealed(): number | null {
    return this.#of.table && sealedBid(this.#of.table);
  }

  get legal(): readonly string[] {
    return this.mine ? split(this.turn!.legal) : [];
  }

  /** Why a card of mine may not be played, or a bid not be made; null where it may, or where it
   * is not my turn. */
  whyNot(code: string): WireReason | null {
    const found = this.mine
      ? this.turn!.why_not?.find(([codes]) => split(codes).includes(code))
      : undefined;
    return found ? { card: code, ...found[1] } : null;
  }

  /** The moves that play a card: several, where a colour is to be named. */
  of(card: string): string[] {
    return this.legal.filter((move) => cardOf(move) === card && !isBid(move));
  }

  /** A card of mine, or a move with it, as it is chosen now. */
  chosen(move: string): Chosen {
    return { move, hand: this.#hand };
  }

  /** The same for as long as the card is in the hand from which it was chosen: then null. */
  stillChosen(chosen: Chosen | null): string | null {
    if (!chosen || chosen.hand !== this.#hand) return null;
    const held = split(this.#of.table?.game?.hand ?? '');
    return held.includes(cardOf(chosen.move)) ? chosen.move : null;
  }

  /** Which hand I hold: of which game and round, and of which seat. */
  get #hand(): string {
    const { games, game, me } = this.#of.table ?? {};
    return `${games} ${game?.rounds.at(-1)?.number} ${me?.seat}`;
  }

  /** A move to be made when my turn comes, if it may then be made. */
  get queued(): string | null {
    return this.stillChosen(this.#queued);
  }

  /** Make a move when my turn comes; null: none. */
  queue(move: string | null): void {
    this.#queued = move === null ? null : this.chosen(move);
  }

  /** Make a move. It shows at once; it is sent at once, or after a moment in which it can be
   * cancelled. */
  play(move: string): void {
    if (!this.mine) return;
    const held = settings.guard === 'moment' && !isBid(move);
    this.queue(null);
    this.#narrator.note = null;
    this.pending = { ply: this.#ply, move, held };
    this.changing = false;
    if (!isBid(move)) playSound('card');
    stopSignals();
    clearTimeout(this.#timer);
    if (held) this.#timer = setTimeout(() => void this.#send(), CANCEL_MS);
    else void this.#send();
  }

  /** Cancel a move that has not been sent yet; whether there was one. */
  cancel(): boolean {
    if (!this.pending?.held) return false;
    clearTimeout(this.#timer);
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

  /** Keep up with what is known: whether it is my turn. */
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

  /** Keep up with what is drawn: a move that is stored is part of it. */
  draw(table: TableView): void {
    const { pending } = this;
    const bid = sealedBid(table);
    const sealed = bid !== null && pending?.move === String(bid);
    if (pending && (sealed || pending.ply < table.ply)) this.pending = null;
    if (sealed) announce(t('page.table.bid.yours', { bid }));
  }

  /** All that is known is drawn: if it is my turn, say so, or make the move that waits for it. */
  begin(): void {
    if (!this.turn) return;
    if (this.#told !== this.#ply) {
      this.#told = this.#ply;
      if (!this.queued && this.sealed === null) this.#narrator.tellMyTurn();
    }
    this.#checkQueue();
  }

  /** Play the queued card after a short pause, or say why it may not be played. */
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

  /** The table is left: make nothing that waits. */
  leave(): void {
    clearTimeout(this.#timer);
  }
}
