// One table as this page knows it, for components to draw: what is shown (a little behind what is
// known, so that it can be followed), what I may do, and what I have done that is not stored yet.

import type { Alarm } from '../fair/witness.ts';
import { settings } from '../settings.svelte';
import { line, type Reason, sentence, t, type WireReason } from '../say';
import { stored } from '../stored';
import { stopSignals } from './attention.ts';
import { cardOf, isBid, split } from '../codes.ts';
import { type Between, betweenRounds } from './between.ts';
import { steps } from './fold.ts';
import { Narrator, type Note, playSound } from './narrator.svelte.ts';
import { Pace } from './pace.ts';
import type { Shuffle } from '../fair/shuffle.ts';
import { CLOSE, type Link, NotDone, TableSocket } from './socket.ts';
import { wakeOnTouch } from './sounds.ts';
import { tellWhole } from './table_changes.ts';
import type {
  ChatLines,
  Command,
  Fact,
  RoundView,
  SaidView,
  TableView,
  Turn,
  Update,
  Whole,
} from './types.ts';

/** A move of mine that is not stored yet; `held`: not even sent, for a moment. */
export interface Pending {
  readonly ply: number;
  readonly move: string;
  readonly held: boolean;
}

interface Shown {
  readonly state: TableView;
  readonly fact: Fact;
}

/** How long each kind of fact is shown, in milliseconds. */
const HOLD_MS: Readonly<Record<string, number>> = {
  played: 270,
  bids_shown: 400,
  trump_set: 700,
  trick_won: 900,
  round_over: 5000,
  dealt: 400,
};
/** How long a trick lies for those who want to look at it longer, and for those who are coached:
 * the coach takes the place of the sentence that says why it was won. */
const LONG_TRICK_MS = 2000;
/** How many times as long everything is shown, by the setting for it. */
const SLOWNESS = { slow: 1.8, usual: 1, quick: 0.5 };
/** How long a move can be cancelled, where the settings ask for that, in milliseconds. */
const CANCEL_MS = 1600;
/** How many lines of the chat are kept here. */
const MAX_CHAT = 50;
/** How long it is shown who has withheld a word, and that my own is missing, in milliseconds. */
const WITHHELD_MS = 6000;
const MISSING_MS = 8000;
/** More events than this at once are not shown one by one. */
const MAX_STEPS = 24;

export class TableStore {
  readonly code: string;
  /** Whether this is a screen that everybody sees, which never sits down. */
  readonly #screen: boolean;
  #isCoached = (): boolean => false;
  link: Link = $state('connecting');
  closed = $state(0);
  /** What is drawn. */
  table = $state.raw<TableView | null>(null);
  /** The fact that was shown last, for animations. */
  fact = $state.raw<Fact | null>(null);
  /** Whether the last trick has been shown for long enough, and has gone to its winner. */
  trickCleared = $state(true);
  /** Whether what is drawn is behind what is known. */
  busy = $state(false);
  turn = $state.raw<Turn | null>(null);
  pending = $state.raw<Pending | null>(null);
  /** A move to be made when my turn comes, if it may then be made. */
  queued = $state<string | null>(null);
  chat = $state.raw<readonly SaidView[]>([]);
  /** How far the server's clock is ahead of this one, in milliseconds. */
  clockOffset = $state(0);
  /** Who I am to the server. */
  you = $state('');
  /** What I have typed for the shuffle, and what is wrong with it. */
  typed = $state('');
  alarm = $state.raw<Alarm | null>(null);
  /** The game and the round whose end I have looked at. */
  #looked = $state('');
  /** A line that stays for a while whatever else is said. */
  #stickyNote = $state.raw<Note | null>(null);

  #shuffle: Promise<Shuffle | null> | null = null;
  #known: TableView | null = null;
  #turnPly = -1;
  #asked = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #narrator = new Narrator(this);
  readonly #pace: Pace<Shown>;
  readonly #socket: TableSocket;

  constructor(code: string, { screen = false } = {}) {
    this.code = code;
    this.#screen = screen;
    this.#pace = new Pace(
      (shown, quick) => this.#show(shown, quick),
      () => this.#caughtUp(),
      () => SLOWNESS[settings.pace],
    );
    this.#socket = new TableSocket({
      url: (since) => address(code, since, this.chat.at(-1)?.number ?? 0, screen),
      seq: () => this.#known?.seq ?? null,
      receive: (message) => this.#receive(message),
      receiveChat: (message) => this.#receiveChat(message),
      link: (link, closed) => {
        Object.assign(this, { link, closed });
        if (link === 'elsewhere') void this.#shuffle?.then((shuffle) => shuffle?.forget());
      },
      clock: (clockOffset) => (this.clockOffset = clockOffset),
    });
  }

  /** Connect and stay connected. Returns a function that ends it. */
  open(): () => void {
    const hurry = () => {
      if (document.hidden) return;
      stopSignals();
      this.#socket.hurry();
    };
    addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    const stopListening = wakeOnTouch();
    this.#socket.connect();
    return () => {
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
      stopListening();
      clearTimeout(this.#timer);
      this.#pace.clear();
      this.#socket.close();
      stopSignals();
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

  /** What the table waits for between two rounds, as it is drawn; null where it does not. */
  get between(): Between | null {
    return this.table && betweenRounds(this.table);
  }

  /** The round whose end I have yet to look at; null where there is none. */
  get summary(): RoundView | null {
    const { between, seat } = this;
    if (!between || this.#looked === this.#endOf(between)) return null;
    return seat !== null && between.ready.includes(seat) ? null : this.round;
  }

  #endOf({ round }: Between): string {
    return `${this.table?.games} ${round}`;
  }

  /** Whether I am to bid. */
  get bidding(): boolean {
    return this.game?.bidding ?? false;
  }

  /** Why a card of mine may not be played, or a bid not be made; null where it may, or where it
   * is not my turn. */
  whyNot(code: string): WireReason | null {
    const found = this.myTurn
      ? this.turn!.why_not?.find(([codes]) => split(codes).includes(code))
      : undefined;
    return found ? { card: code, ...found[1] } : null;
  }

  /** The moves that play a card: several, where a colour is to be named. */
  movesOf(card: string): string[] {
    return this.legal.filter((move) => cardOf(move) === card && !isBid(move));
  }

  // What the player does.

  /** Make a move. It shows at once; it is sent at once, or after a moment in which it can be
   * cancelled. */
  play(move: string): void {
    if (!this.myTurn) return;
    const held = settings.guard === 'moment' && !isBid(move);
    this.queued = null;
    this.#narrator.note = null;
    this.pending = { ply: this.#turnPly, move, held };
    if (!isBid(move)) playSound('card');
    stopSignals();
    clearTimeout(this.#timer);
    if (held) this.#timer = setTimeout(() => void this.#send(), CANCEL_MS);
    else void this.#send();
  }

  /** Cancel a move that has not been sent yet; whether there was one. */
  cancelMove(): boolean {
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

  /** I have looked at how the round ended: show what came after it, or let the next one be dealt. */
  goOn(): void {
    const { between } = this;
    if (!between) return;
    this.#looked = this.#endOf(between);
    this.skip();
    const known = this.#known && betweenRounds(this.#known);
    if (!known || known.round !== between.round || this.seat === null) return;
    if (known.unready.includes(this.seat)) void this.#sayReady(known.round);
  }

  async #sayReady(round: number): Promise<void> {
    try {
      await this.#socket.do({ type: 'ready', round });
    } catch (error) {
      const code = error instanceof NotDone ? error.reason?.code : null;
      if (code === 'table.not_between' || code === 'table.ready_already') return;
      this.#looked = '';
      this.#refused(error);
    }
  }

  /** Send a command; whether it was done. A refusal is shown. */
  async do(command: Command): Promise<boolean> {
    try {
      await this.#socket.do(command);
      return true;
    } catch (error) {
      this.#refused(error);
      return false;
    }
  }

  /** The same for callers that show the refusal themselves: null, or the sentence. */
  async ask(command: Command): Promise<string | null> {
    try {
      await this.#socket.do(command);
      return null;
    } catch (error) {
      const reason = this.#reason(error);
      return reason ? sentence(reason, this.telling) : '';
    }
  }

  /** Ask for hints at my turns, from now on: `taught` gives the lessons I have had, or null for no
   * more hints. */
  askForHints(taught: () => readonly string[] | null): void {
    this.#isCoached = () => taught() !== null;
    this.#socket.greet(() => ({ coach: taught() }));
  }

  /** Add a word of my own to the shuffle; whether the table has it. */
  async addWord(typed: string): Promise<boolean> {
    if (this.table?.given) this.refuse({ code: 'table.word.given' });
    return (await (await this.#shuffle)?.add(typed)) ?? false;
  }

  #refused(error: unknown): void {
    const reason = this.#reason(error);
    if (reason) this.refuse(reason);
  }

  /** Why a command was not done; null where the table is gone, which the page shows anyway. */
  #reason(error: unknown): WireReason | null {
    if (!(error instanceof NotDone)) throw error;
    if (this.link === 'closed') return null;
    return error.reason ?? { code: 'page.table.not_sent' };
  }

  /** The line above the hand. */
  get note(): Note | null {
    return this.#stickyNote ?? this.#given ?? this.#narrator.note;
  }

  /** Say something there, and to screen readers. */
  say(text: string, kind: Note['kind'] = 'plain'): void {
    this.#narrator.say({ text, heard: text, kind });
  }

  /** Show a refusal in the same way. */
  refuse(reason: Reason | WireReason | null): void {
    if (reason) this.#narrator.say({ ...line(reason, this.telling), kind: 'refusal' });
  }

  /** Show at once what is still to be shown. */
  skip(): void {
    if (this.#pace.busy) this.#pace.skip();
  }

  // What the server sends.

  #receive(message: Whole | Update): boolean {
    if (message.type === 'table') this.#adopt(message);
    else if (!this.#follow(message)) return false;
    this.#keepTurn(message);
    this.#updateShuffle(message);
    if (!this.#pace.busy) this.#caughtUp();
    return true;
  }

  #receiveChat({ lines }: ChatLines): void {
    const last = this.chat.at(-1)?.number ?? 0;
    const fresh = lines.filter(({ number }) => number > last);
    this.chat = [...this.chat, ...fresh].slice(-MAX_CHAT);
  }

  /** Add to the shuffle before a game, and watch over what was noted of it. What does that is
   * loaded only where there is something to do. */
  #updateShuffle({ type }: Whole | Update): void {
    if (this.#screen) return;
    const { phase } = this.#known!;
    const open = !this.#known!.given; // deals that are given take no words
    const early = open && (phase === 'gathering' || phase === 'revealing');
    if (early || (type === 'table' && hasNotes(this.code))) this.#shuffle ??= this.#loadShuffle();
    const table = this.#known!; // as it is now: while this is loaded, the game may begin
    void this.#shuffle?.then((shuffle) => shuffle?.update(table));
  }

  /** While people gather: that the deals may be known to somebody. */
  get #given(): Note | null {
    if (!this.table?.given || this.table.phase !== 'gathering') return null;
    const text = t('page.table.given');
    return { text, heard: text, kind: 'plain' };
  }

  /** Say that my word is not in the shuffle, for long enough to be read. */
  #sayMissing(): void {
    const text = t('page.table.word_missing');
    this.say(text);
    this.#stickyNote = { text, heard: text, kind: 'plain' };
    setTimeout(() => (this.#stickyNote = null), MISSING_MS);
  }

  async #loadShuffle(): Promise<Shuffle | null> {
    try {
      const { Shuffle } = await import('../fair/shuffle.ts');
      return new Shuffle({
        code: this.code,
        ask: (command) => this.ask(command),
        tell: (typed, alarm) => Object.assign(this, { typed, alarm }),
        miss: () => this.#sayMissing(),
      });
    } catch {
      this.#shuffle = null; // there is no network; the next message tries again
      return null;
    }
  }

  #adopt(message: Whole): void {
    this.#pace.clear();
    this.#known = message.table;
    this.chat = message.table.chat;
    this.you = message.you;
    this.clockOffset = message.now - Date.now();
    if (message.undone) {
      const said = line({ code: 'fact.undone', params: { n: message.undone } });
      this.#narrator.say({ ...said, kind: 'plain' });
    }
    const [before, after] = [this.table, this.#known];
    const changed = tellWhole(before, after);
    this.table = after;
    if (changed) this.say(sentence(changed.reason));
    this.fact = null;
    this.trickCleared = true;
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
          ? this.#holdLast(facts[i]!)
          : this.#hold(facts[i]!),
    }));
    this.#pace.add(shown);
    if (found.length > MAX_STEPS || document.hidden) this.#pace.skip();
    return true;
  }

  #hold(fact: Fact): number {
    if (fact.type === 'started' && fact.withheld?.length) return WITHHELD_MS;
    if (fact.type === 'trick_won' && (settings.trick === 'long' || this.#isCoached()))
      return LONG_TRICK_MS;
    return HOLD_MS[fact.type] ?? 0;
  }

  /** My own moves need no time, nor do bids, nor the end of a round after which the next one waits
   * for me. */
  #holdLast(fact: Fact): number {
    if (fact.type === 'round_over' && this.seat !== null) return 0;
    if (fact.type === 'played' && (fact['seat'] === this.seat || this.bidding)) return 60;
    return this.#hold(fact);
  }

  #keepTurn(message: Whole | Update): void {
    const known = this.#known!;
    const seat = known.me?.seat ?? null;
    const mine = known.phase === 'playing' && seat !== null && known.game?.to_act === seat;
    if (message.turn) [this.turn, this.#turnPly] = [message.turn, known.ply];
    else if (!mine || this.#turnPly !== known.ply || known.seats[seat]?.bot) this.turn = null;
    if (this.pending && this.pending.ply < known.ply) clearTimeout(this.#timer);
  }

  #show({ state, fact }: Shown, quick: boolean): void {
    const before = this.table ?? state;
    this.table = state;
    this.fact = fact;
    this.trickCleared = fact.type !== 'trick_won' && fact.type !== 'trump_set';
    this.busy = true;
    if (this.pending && state.ply > this.pending.ply) this.pending = null;
    if (fact.type === 'dealt') this.queued = null;
    this.#narrator.tell(fact, before, state, quick);
  }

  #caughtUp(): void {
    this.busy = this.#pace.busy;
    if (this.busy) return;
    this.trickCleared = true;
    if (!this.turn) return;
    if (this.#asked !== this.#turnPly) {
      this.#asked = this.#turnPly;
      if (!this.queued) this.#narrator.tellMyTurn();
    }
    this.#checkQueue();
  }

  /** Play the queued card after a short pause, or say why it may not be played. */
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
    playSound('turn');
  }
}

/** Whether anything was noted of a table (fair/witness.ts) at an earlier visit. */
function hasNotes(code: string): boolean {
  return stored('rage.witness')?.includes(`"${code}/`) ?? false;
}

function address(code: string, since: number | null, said: number, screen: boolean): string {
  const url = new URL(`ws/${code}`, document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (since !== null) {
    url.searchParams.set('since', String(since));
    url.searchParams.set('chat', String(said));
  }
  if (screen) url.search += '&screen';
  return url.href;
}

export { CLOSE };
