// Watches a sheet kept on another device, while the page is visible, and sends this phone's bids if
// it bids for a player.

import { explain, Refusal } from '../../shell/api';
import { freshSecret, keepPhone, type KeptBid, keptPhone, type KeptPhone } from '../storage';
import { bid, join, look, type Notice } from './notices';

const OFTEN_MS = 2000;
/** How long to wait if the server does not answer, and at most if it does not know the sheet. */
const AGAIN_MS = 4000;
const SELDOM_MS = 600_000;

export class Watching {
  readonly code: string;
  notice: Notice | null = $state.raw(null);
  /** Why there is no news, and since when (milliseconds); empty while there is. */
  trouble = $state('');
  heard = $state(0);
  /** Why a bid, or a name, was not taken. */
  refused = $state('');
  phone: KeptPhone | null = $state.raw(null);
  readonly #onchange: (now: Notice, before: Notice | null) => void;
  /** The secret that will prove this phone's name: the same if the first answer is lost. */
  readonly #secret = freshSecret();
  #timer = 0;
  /** The last waiting time for a sheet that the server does not know. */
  #unknown = OFTEN_MS;
  #ended = false;
  /** How many writes are under way, and how often one has begun or ended. */
  #writing = 0;
  #turns = 0;

  /** `onchange` is called with every change. */
  constructor(code: string, onchange: (now: Notice, before: Notice | null) => void) {
    this.code = code;
    this.#onchange = onchange;
    this.phone = keptPhone(code);
  }

  /** The player of this phone, by their place on the sheet; -1 for none. */
  get player(): number {
    const { phone, notice } = this;
    return phone && notice ? notice.whole.players.indexOf(phone.name) : -1;
  }

  /** Whether this phone may bid now. */
  get asked(): boolean {
    return this.notice?.asked.includes(this.player) ?? false;
  }

  /** The bid of this phone for the round under way; null if there is none. */
  get made(): number | null {
    const { phone, notice } = this;
    return phone?.bid && notice && isFor(phone.bid, notice) ? phone.bid.n : null;
  }

  /** Whether the server does not have that bid yet. */
  get waits(): boolean {
    return this.made !== null && (this.asked || this.phone!.bid!.sent !== this.made);
  }

  /** Whether a bid can still be changed: all are hidden, and some are missing. */
  get changes(): boolean {
    const { notice, phone } = this;
    const mine = this.made !== null && phone!.bid!.sent !== null;
    return mine && notice!.hidden && notice!.asked.length > 0;
  }

  /** Starts polling. Returns a function that stops it. */
  follow(): () => void {
    const now = () => {
      this.#unknown = OFTEN_MS;
      this.#soon(0);
    };
    addEventListener('online', now);
    document.addEventListener('visibilitychange', now);
    now();
    return () => {
      this.#ended = true;
      clearTimeout(this.#timer);
      removeEventListener('online', now);
      document.removeEventListener('visibilitychange', now);
    };
  }

  /** Let this phone bid for a player. */
  async join(name: string): Promise<void> {
    await this.#do(async () => {
      const proof = this.phone?.proof ?? this.#secret;
      const notice = await join(this.code, { name, proof });
      this.#keepPhone(joined(notice, name, proof, this.phone));
      return notice;
    });
  }

  /** Bid. If the server cannot be reached, the bid is sent once it can. */
  async bid(n: number): Promise<void> {
    const { phone, notice } = this;
    if (!phone || !notice) return;
    const sent = this.made === null ? null : phone.bid!.sent;
    const made = { game: notice.game, round: notice.whole.rounds.length, n, sent };
    this.#keepPhone({ ...phone, bid: made });
    await this.#send();
  }

  #soon(wait: number): void {
    clearTimeout(this.#timer);
    if (!this.#ended) this.#timer = setTimeout(() => void this.#look(), wait);
  }

  async #look(): Promise<void> {
    if (document.hidden) return;
    let wait = OFTEN_MS;
    const turn = this.#turns;
    try {
      const notice = await look(this.code);
      this.#unknown = OFTEN_MS;
      // An answer older than the latest write would revert it.
      if (turn === this.#turns) {
        this.#take(notice);
        if (!this.#writing) await this.#again();
      }
    } catch (error) {
      this.trouble = explain(error);
      const unknown = error instanceof Refusal && error.status === 404;
      if (unknown) this.#unknown = Math.min(2 * this.#unknown, SELDOM_MS);
      wait = unknown ? this.#unknown : AGAIN_MS;
    }
    this.#soon(wait);
  }

  /** Join or bid again after a restart of the server, or if a bid could not be sent. */
  async #again(): Promise<void> {
    const { phone, notice } = this;
    if (!phone || !notice || this.player < 0) return;
    const number = notice.phones[this.player] ?? null;
    if (notice.opened !== phone.opened && number === null) return this.join(phone.name);
    if (number !== phone.number) return this.#keepPhone(null); // the keeper has freed the name
    if (this.waits) await this.#send();
  }

  async #send(): Promise<void> {
    const { phone } = this;
    if (!phone?.bid) return;
    const { game, round, n } = phone.bid;
    const made = { name: phone.name, proof: phone.proof, game, round, bid: n };
    await this.#do(async () => {
      const notice = await bid(this.code, made);
      this.#bidSent(n);
      return notice;
    }, true);
  }

  /** Remember the bid that the server has; one it will never accept reverts to the one before. */
  #bidSent(n: number | null): void {
    const { phone } = this;
    if (!phone?.bid) return;
    this.#keepPhone({ ...phone, bid: n === null ? null : { ...phone.bid, n, sent: n } });
  }

  /** Send a request; a bid that will never be accepted is forgotten. */
  async #do(what: () => Promise<Notice>, bids = false): Promise<void> {
    this.refused = '';
    this.#writing += 1;
    this.#turns += 1;
    try {
      this.#take(await what());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = error.message;
      const never = bids && [400, 403, 409].includes(error.status);
      if (never) this.#bidSent(this.phone?.bid?.sent ?? null);
    } finally {
      this.#writing -= 1;
      this.#turns += 1;
    }
  }

  #take(notice: Notice): void {
    const before = this.notice;
    this.notice = notice;
    this.trouble = '';
    this.heard = Date.now();
    this.#onchange(notice, before);
  }

  #keepPhone(phone: KeptPhone | null): void {
    this.phone = phone;
    keepPhone(this.code, phone);
  }
}

/** Whether a bid was made for the round under way. */
function isFor(bid: KeptBid, { game, whole, round }: Notice): boolean {
  return round !== null && bid.game === game && bid.round === whole.rounds.length;
}

/** This phone as it bids for a player; an earlier bid for the same player is sent again. */
function joined(
  { phones, whole, opened }: Notice,
  name: string,
  proof: string,
  before: KeptPhone | null,
): KeptPhone {
  const number = phones[whole.players.indexOf(name)] ?? 0;
  const bid = before?.name === name ? before.bid : null;
  return { name, proof, number, opened, bid };
}
