// One table as this page knows it, for components to draw: what is shown (a little behind what is
// known, so that it can be followed), what I may do, and what I have done that is not stored yet.

import { settings } from '../settings.svelte';
import { line, type Reason, sentence, type WireReason } from '../say';
import { tellChanges } from '../together/changes.ts';
import { takenBack } from '../together/together.ts';
import { calm } from './attention.ts';
import { cardOf, split } from './cards.ts';
import { type Folded, fromWhole, steps } from './fold.ts';
import { Narrator, type Note, sounded } from './narrator.svelte.ts';
import { Pace } from './pace.ts';
import { CLOSE, type Link, NotDone, TableSocket } from './socket.ts';
import { wakeOnTouch } from './sounds.ts';
import type { Command, Fact, SaidView, Turn, Update, Whole } from './types.ts';

/** A move of mine that is not stored yet; `held`: not even sent, for a moment. */
export interface Pending {
  readonly ply: number;
  readonly move: string;
  readonly held: boolean;
}

interface Shown {
  readonly state: Folded;
  readonly fact: Fact;
}

/** How long each thing is to be seen, in milliseconds. */
const HOLD: Readonly<Record<string, number>> = {
  played: 270,
  bids_shown: 400,
  trump_set: 700,
  trick_won: 900,
  round_over: 5000,
  dealt: 400,
};
const MOMENT = 1600;
/** More events than this at once are not shown one by one. */
const MANY = 24;

export class TableStore {
  readonly code: string;
  link: Link = $state('connecting');
  closed = $state(0);
  /** What is drawn. */
  table = $state.raw<Folded['table'] | null>(null);
  /** The fact that was shown last, for what moves. */
  fact = $state.raw<Fact | null>(null);
  /** Whether the last trick has been seen, and has gone to its winner. */
  gone = $state(true);
  /** Whether what is drawn is behind what is known. */
  busy = $state(false);
  turn = $state.raw<Turn | null>(null);
  pending = $state.raw<Pending | null>(null);
  /** A move to be made when my turn comes, if it may then be made. */
  queued = $state<string | null>(null);
  chat = $state.raw<readonly SaidView[]>([]);
  /** How far the server's clock is ahead of this one, in milliseconds. */
  ahead = $state(0);
  /** Who I am to the server. */
  you = $state('');

  #known: Folded | null = null;
  #turnPly = -1;
  #asked = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #narrator = new Narrator(this);
  readonly #pace: Pace<Shown>;
  readonly #socket: TableSocket;

  constructor(code: string) {
    this.code = code;
    this.#pace = new Pace(
      (shown, quick) => this.#show(shown, quick),
      () => this.#caughtUp(),
    );
    this.#socket = new TableSocket({
      url: (since) => address(code, since),
      seq: () => this.#known?.table.seq ?? null,
      take: (message) => this.#take(message),
      link: (link, closed) => Object.assign(this, { link, closed }),
      clock: (ahead) => (this.ahead = ahead),
    });
  }

  /** Connect and stay connected. Gives what ends it. */
  open(): () => void {
    const hurry = () => {
      if (document.hidden) return;
      calm();
      this.#socket.hurry();
    };
    addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    const unheard = wakeOnTouch();
    this.#socket.connect();
    return () => {
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
      unheard();
      clearTimeout(this.#timer);
      this.#pace.clear();
      this.#socket.close();
      calm();
    };
  }

  /** Play here instead of in the other window. */
  continueHere(): void {
    this.#socket.connect();
  }

  get game() {
    return this.table?.game ?? null;
  }

  get round() {
    return this.table?.game?.rounds.at(-1) ?? null;
  }

  get seat(): number | null {
    return this.table?.me?.seat ?? null;
  }

  get names(): readonly string[] {
    return this.table?.game?.players ?? this.table?.seats.map((seat) => seat.name) ?? [];
  }

  get telling() {
    return { edition: this.table?.settings.edition ?? null, names: this.names };
  }

  get isHost(): boolean {
    return this.table?.me != null && this.table.host === this.table.me.person;
  }

  /** Whether I may decide now. */
  get myTurn(): boolean {
    return this.turn !== null && !this.busy && this.pending === null;
  }

  get legal(): readonly string[] {
    return this.myTurn ? split(this.turn!.legal) : [];
  }

  /** Whether I am to bid. */
  get bidding(): boolean {
    return this.game?.bidding ?? false;
  }

  /** Why a card of mine may not be played, or a bid not be made; null where it may, or where it
   * is not my turn. */
  whyNot(code: string): WireReason | null {
    const found = this.myTurn
      ? this.turn!.why_not.find(([codes]) => split(codes).includes(code))
      : undefined;
    return found ? { card: code, ...found[1] } : null;
  }

  /** The moves that play a card: several, where a colour is to be named. */
  movesOf(card: string): string[] {
    return this.legal.filter((move) => cardOf(move) === card && !/^\d/.test(move));
  }

  // What I do.

  /** Make a move. It shows at once; it is sent at once, or after a moment to take it back. */
  play(move: string): void {
    if (!this.myTurn) return;
    const held = settings.guard === 'moment' && !/^\d/.test(move);
    this.queued = null;
    this.#narrator.note = null;
    this.pending = { ply: this.#turnPly, move, held };
    if (!/^\d/.test(move)) sounded('card');
    calm();
    clearTimeout(this.#timer);
    if (held) this.#timer = setTimeout(() => void this.#send(), MOMENT);
    else void this.#send();
  }

  /** Take a move back that has not been sent yet. */
  takeBack(): boolean {
    if (!this.pending?.held) return false;
    clearTimeout(this.#timer);
    this.pending = null;
    return true;
  }

  async #send(): Promise<void> {
    const pending = this.pending;
    if (!pending) return;
    const sent = { ...pending, held: false };
    this.pending = sent;
    try {
      await this.#socket.do({ type: 'play', ply: sent.ply, move: sent.move });
    } catch (error) {
      if (this.pending === sent) this.pending = null;
      this.#refused(error);
    }
  }

  /** Ask the table for something; whether it was done. What refuses it is said. */
  async do(command: Command): Promise<boolean> {
    try {
      await this.#socket.do(command);
      return true;
    } catch (error) {
      this.#refused(error);
      return false;
    }
  }

  /** The same for who says the refusal themselves: null, or the sentence. */
  async ask(command: Command): Promise<string | null> {
    try {
      await this.#socket.do(command);
      return null;
    } catch (error) {
      const reason = this.#reason(error);
      return reason ? sentence(reason, this.telling) : '';
    }
  }

  #refused(error: unknown): void {
    const reason = this.#reason(error);
    if (reason) this.refuse(reason);
  }

  /** Why something was not done; null where the table is gone, which is said by itself. */
  #reason(error: unknown): WireReason | null {
    if (!(error instanceof NotDone)) throw error;
    if (this.link === 'closed') return null;
    return error.reason ?? { code: 'page.table.not_sent' };
  }

  /** What is to be read in the line above the hand. */
  get note(): Note | null {
    return this.#narrator.note;
  }

  /** Say something there, and to who listens. */
  say(text: string, kind: Note['kind'] = 'plain'): void {
    this.#narrator.say({ text, heard: text, kind });
  }

  /** Say in the same way why something cannot be. */
  refuse(reason: Reason | WireReason | null): void {
    if (reason) this.#narrator.say({ ...line(reason, this.telling), kind: 'refusal' });
  }

  /** Show at once what is still to be shown. */
  skip(): void {
    if (this.#pace.busy) this.#pace.skip();
  }

  // What is told.

  #take(message: Whole | Update): boolean {
    if (message.type === 'table') this.#adopt(message);
    else if (!this.#follow(message)) return false;
    this.chat = this.#known!.table.chat;
    this.#keepTurn(message);
    if (!this.#pace.busy) this.#caughtUp();
    return true;
  }

  #adopt(message: Whole): void {
    this.#pace.clear();
    this.#known = fromWhole(message);
    this.you = message.you;
    this.ahead = message.now - Date.now();
    if (this.table && takenBack(this.table, this.#known.table)) {
      const params = { n: this.table.proposal?.count ?? 1 };
      this.#narrator.note = { ...line({ code: 'fact.undone', params }), kind: 'plain' };
    }
    const changed = this.table?.me ? tellChanges(this.table, this.#known.table) : null;
    this.table = this.#known.table;
    if (changed) this.say(sentence(changed.reason));
    this.fact = null;
    this.gone = true;
    if (this.pending && this.pending.ply !== this.table.ply) this.pending = null;
    this.#checkQueue();
  }

  #follow(update: Update): boolean {
    const found = this.#known && steps(this.#known, update);
    if (!found) return false;
    this.#known = found.at(-1) ?? this.#known;
    const facts = update.events.slice(update.events.length - found.length);
    const last = found.length - 1;
    const shown = found.map((state, i) => ({
      value: { state, fact: facts[i]! },
      hold:
        i === last && facts[i]!.type !== 'trick_won'
          ? this.#shortly(facts[i]!)
          : this.#hold(facts[i]!),
    }));
    this.#pace.add(shown);
    if (found.length > MANY || document.hidden) this.#pace.skip();
    return true;
  }

  #hold(fact: Fact): number {
    return HOLD[fact.type] ?? 0;
  }

  /** What I did myself needs no time, nor does a bid. */
  #shortly(fact: Fact): number {
    if (fact.type === 'played' && (fact['seat'] === this.seat || this.bidding)) return 60;
    return this.#hold(fact);
  }

  #keepTurn(message: Whole | Update): void {
    const known = this.#known!.table;
    const seat = known.me?.seat ?? null;
    const mine = known.phase === 'playing' && seat !== null && known.game?.to_act === seat;
    if (message.turn) [this.turn, this.#turnPly] = [message.turn, known.ply];
    else if (!mine || this.#turnPly !== known.ply || known.seats[seat]?.bot) this.turn = null;
    if (this.pending && this.pending.ply < known.ply) clearTimeout(this.#timer);
  }

  #show({ state, fact }: Shown, quick: boolean): void {
    const before = this.table ?? state.table;
    this.table = state.table;
    this.fact = fact;
    this.gone = fact.type !== 'trick_won' && fact.type !== 'trump_set';
    this.busy = true;
    if (this.pending && state.table.ply > this.pending.ply) this.pending = null;
    if (fact.type === 'dealt' || fact.type === 'undone') this.queued = null;
    this.#narrator.tell(fact, before, state.table, quick);
  }

  #caughtUp(): void {
    this.busy = this.#pace.busy;
    if (this.busy) return;
    this.gone = true;
    if (!this.turn) return;
    if (this.#asked !== this.#turnPly) {
      this.#asked = this.#turnPly;
      if (!this.queued) this.#narrator.tellMyTurn();
    }
    this.#checkQueue();
  }

  /** Play the queued card after a natural moment, or say why it may not be. */
  #checkQueue(): void {
    const { queued } = this;
    if (queued === null || !this.myTurn || this.bidding) return;
    if (this.legal.includes(queued)) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(
        () => {
          if (this.queued === queued && this.legal.includes(queued)) this.play(queued);
        },
        280 + Math.random() * 520,
      );
      return;
    }
    this.queued = null;
    this.refuse(this.whyNot(cardOf(queued)) ?? { code: 'page.table.unqueued' });
    sounded('turn');
  }
}

function address(code: string, since: number | null): string {
  const url = new URL(`ws/${code}`, document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (since !== null) url.searchParams.set('since', String(since));
  return url.href;
}

export { CLOSE };
