// One table as this page knows it, for components to draw: the shown state, slightly behind the
// known one; my moves; and my contribution to the shuffle.

import { settings } from '../settings.svelte';
import { announced } from '../shell/announced.svelte';
import { type Line, line, type Reason, sentence, type WireReason } from '../say';
import { stopSignals } from './attention.ts';
import { type Between, betweenRounds } from './between.ts';
import { steps } from './fold.ts';
import { type Stage, stagesOf } from './hold.ts';
import { Moves } from './moves.svelte.ts';
import { Narrator, type Note } from './narrator.svelte.ts';
import { Pace } from './pace.ts';
import { withBid } from './sealed.ts';
import { Shuffling } from './shuffling.svelte.ts';
import { Obstacle } from './obstacle.svelte.ts';
import { type Connection, type Link, type Listener, NotDone, TableSocket } from './socket.ts';
import { wakeOnTouch } from './sounds.ts';
import { tellWhole } from './table_changes.ts';
import { uncounted } from './tricks.ts';
import type {
  Command,
  Fact,
  FullTable,
  ReactionData,
  RoundView,
  SaidView,
  TableView,
  Update,
} from './types.ts';

interface Shown {
  readonly state: TableView;
  readonly fact: Fact;
  readonly stage: Stage;
}

/** The most chat lines kept here: as many as a table remembers. */
const MAX_CHAT = 200;
/** The most reactions that wait for the card to be drawn. */
const MAX_REACTIONS = 12;
/** More events than this at once are skipped to the end. */
const MAX_STEPS = 24;

export class TableStore {
  readonly code: string;
  /** Whether this is a shared screen, which never sits down. */
  readonly #screen: boolean;
  #isNew = (_: string): boolean => false;
  link: Link = $state('connecting');
  closed = $state(0);
  readonly obstacle: Obstacle;
  /** The table as drawn. */
  table = $state.raw<TableView | null>(null);
  /** Whether the last trick was shown long enough and has gone to its winner; `hurried` if that
   * was skipped, so that no card lies over an older trick. */
  trickCleared = $state(true);
  hurried = $state(false);
  /** Whether the drawn table lags behind the known one. */
  busy = $state(false);
  chat = $state.raw<readonly SaidView[]>([]);
  /** Reactions not shown yet; null before the first one, which loads the code that shows them. */
  reactions = $state.raw<readonly ReactionData[] | null>(null);
  /** How far the server clock is ahead of this one, in milliseconds. */
  clockOffset = $state(0);
  /** My id at the server. */
  you = $state('');
  /** The game and round whose summary I dismissed. */
  #looked = $state('');

  #known: TableView | null = null;
  readonly #narrator: Narrator = new Narrator(this);
  readonly moves: Moves = new Moves(this, this.#narrator);
  readonly shuffling = new Shuffling(this);
  readonly #pace: Pace<Shown>;
  readonly #socket: TableSocket;

  /** `connect` makes the connection, if not to the server. */
  constructor(
    code: string,
    { screen = false, connect }: { screen?: boolean; connect?: (url: string) => Connection } = {},
  ) {
    this.code = code;
    this.#screen = screen;
    this.obstacle = new Obstacle(code);
    this.#pace = new Pace(
      (shown, quick) => this.#show(shown, quick),
      () => this.#caughtUp(),
    );
    const listener: Listener = {
      url: (since) => address(code, since, this.chat.at(-1)?.number ?? 0, screen),
      seq: () => this.#known?.seq ?? null,
      receive: (message) => this.#receive(message),
      receiveChat: ({ lines }) => this.#hear(lines),
      receiveReaction: ({ reaction }) => {
        if ((screen || settings.reactions) && this.game?.over === false)
          this.reactions = [...(this.reactions ?? []).slice(1 - MAX_REACTIONS), reaction];
      },
      announce: (message) => (announced.now = message),
      link: (link, closed, tries) => {
        Object.assign(this, { link, closed });
        if (link === 'away') this.obstacle.failed(closed, tries);
        if (link === 'elsewhere') this.shuffling.forget();
      },
      clock: (clockOffset) => (this.clockOffset = clockOffset),
    };
    this.#socket = new TableSocket(listener, connect);
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
      this.moves.leave();
      this.shuffling.leave();
      this.#pace.clear();
      this.#socket.close();
      stopSignals();
    };
  }

  /** Play here instead of in another window. */
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
    const { names, seat: you } = this;
    return { edition: this.table?.settings.edition ?? null, names, you };
  }

  get isHost(): boolean {
    const { table } = this;
    return table?.me != null && !table.event && table.host === table.me.person;
  }

  /** What the table waits for between two rounds, as drawn; null otherwise. */
  get between(): Between | null {
    return this.table && betweenRounds(this.table);
  }

  /** The round whose summary I have not dismissed yet; null if none. */
  get summary(): RoundView | null {
    const { between, seat } = this;
    if (!between || this.#looked === this.#endOf(between)) return null;
    return seat !== null && between.ready.includes(seat) ? null : this.round;
  }

  #endOf({ round }: Between): string {
    return `${this.table?.games} ${round}`;
  }

  /** Whether the players are bidding. */
  get bidding(): boolean {
    return this.game?.bidding ?? false;
  }

  /** Dismiss the summary of a round: show what came after it, or allow the next deal. */
  dismissSummary(): void {
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

  /** Send a command. Returns whether it was done; a refusal is shown. */
  async do(command: Command): Promise<boolean> {
    try {
      await this.#send(command);
      return true;
    } catch (error) {
      this.#refused(error);
      return false;
    }
  }

  #send(command: Command): Promise<void> {
    this.shuffling.sent(command);
    return this.#socket.do(command);
  }

  /** Send a command for callers that show a refusal themselves: the sentence, or null if done. */
  async ask(command: Command): Promise<string | null> {
    try {
      await this.#send(command);
      return null;
    } catch (error) {
      const reason = this.#reason(error);
      return reason ? sentence(reason, this.telling) : '';
    }
  }

  /** Request hints at my turns from now on: `taught` lists the lessons I have had; null for no more
   * hints. `isNew`: whether a reason why a trick was won is of a kind that is new to me, which takes
   * longer to read. */
  askForHints(
    taught: () => readonly string[] | null,
    isNew: (kind: string) => boolean = () => false,
  ): void {
    this.#isNew = isNew;
    this.#socket.greet(() => ({ coach: taught() }));
  }

  #refused(error: unknown): void {
    const reason = this.#reason(error);
    if (reason) this.refuse(reason);
  }

  /** Why a command was not done; null if the table is gone, which the page shows anyway. */
  #reason(error: unknown): WireReason | null {
    if (!(error instanceof NotDone)) throw error;
    if (this.link === 'closed') return null;
    return error.reason ?? { code: 'page.table.not_sent' };
  }

  /** The line above the hand. */
  get note(): Note | null {
    return this.shuffling.note ?? this.#narrator.note;
  }

  /** What that line says while my only possible card plays itself. */
  get auto(): Line | null {
    return this.#narrator.auto;
  }

  /** Say something in that line, and to screen readers. */
  say(text: string, kind: Note['kind'] = 'plain'): void {
    this.#narrator.say({ text, heard: text, kind });
  }

  /** Show a refusal in the same way. */
  refuse(reason: Reason | WireReason | null): void {
    if (reason) this.#narrator.say({ ...line(reason, this.telling), kind: 'refusal' });
  }

  /** Show at once everything still waiting. */
  skip(): void {
    if (this.#pace.busy) this.#pace.skip();
  }

  // Messages from the server.

  #receive(message: FullTable | Update): boolean {
    this.obstacle.pass();
    if (message.type === 'table') this.#adopt(message);
    else if (!this.#follow(message)) return false;
    this.moves.know(this.#known!, message.turn);
    if (!this.#screen) this.shuffling.update(this.#known!, message.type === 'table');
    if (!this.#pace.busy) this.#caughtUp();
    return true;
  }

  #hear(lines: readonly SaidView[]): void {
    const [first] = lines;
    if (!first) return;
    // A line replaces those after it, which the server may have lost.
    const before = this.chat.filter(({ number }) => number < first.number);
    this.chat = [...before, ...lines].slice(-MAX_CHAT);
  }

  #adopt(message: FullTable): void {
    this.#pace.clear();
    this.#known = message.table;
    if (message.lost) this.chat = [];
    this.#hear(message.table.chat);
    this.reactions &&= [];
    this.you = message.you;
    this.clockOffset = message.now - Date.now();
    const { undone, lost } = message;
    if (undone || lost) this.moves.leaveToMe(this.#known.ply);
    if (undone) this.say(sentence({ code: 'fact.undone', params: { n: undone } }));
    if (lost) {
      const reason = { code: 'page.table.lost', params: { n: lost } };
      announced.now = { type: 'announcement', reason };
    }
    const [before, after] = [this.table, this.#known];
    const changed = tellWhole(before, after);
    this.table = after;
    if (changed) this.say(sentence(changed.reason));
    this.trickCleared = true;
    this.moves.draw(after);
  }

  #follow(update: Update): boolean {
    const found = this.#known && steps(this.#known, update);
    if (!found) return false;
    this.#known = found.at(-1) ?? withBid(this.#known!, update.bid);
    const facts = update.events.slice(update.events.length - found.length);
    const shown = found.flatMap((state, i) => {
      const [fact, last] = [facts[i]!, i === found.length - 1];
      const why = fact.type === 'trick_won' && fact.ruling?.code;
      const trick = why && this.#isNew(why) ? 'long' : settings.trick;
      const { seat, bidding } = this;
      const how = { last, seat, bidding, settings: { trick, pace: settings.pace } };
      return stagesOf(fact, how).map(({ stage, hold, least }) => {
        const whole = fact.type === 'trick_won' && stage === 'counted';
        return { value: { state, fact, stage }, hold, least, whole };
      });
    });
    this.#pace.add(shown);
    if (found.length > MAX_STEPS || document.hidden) this.#pace.skip();
    return true;
  }

  #show({ state, fact, stage }: Shown, quick: boolean): void {
    const before = this.table ?? state;
    const won = fact.type === 'trick_won';
    this.hurried = quick;
    this.table = won && stage !== 'counted' ? uncounted(state, before) : state;
    this.trickCleared = !won || stage === 'swept' || stage === 'counted';
    this.busy = true;
    this.moves.draw(state);
    if (!won) this.#narrator.tell(fact, before, state);
    else if (stage === 'crowned') this.#narrator.clear();
    else if (stage === 'said') this.#narrator.tell(fact, before, state);
    if (!quick && stage === (won ? 'swept' : 'counted')) this.#narrator.sound(fact, state);
  }

  #caughtUp(): void {
    this.busy = this.#pace.busy;
    if (this.busy) return;
    if (this.#known && this.table !== this.#known) {
      this.table = this.#known; // a bid was changed
      this.moves.draw(this.table);
    }
    this.trickCleared = true;
    this.moves.begin();
  }
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
