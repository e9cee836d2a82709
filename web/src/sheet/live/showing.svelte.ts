// The keeper's side of a sheet that others watch: sends the sheet to the server at each change and
// now and then, and receives the bids made on phones.

import { hidesBids, type SheetRound } from '../../offline/sheet';
import { writeLink } from '../../offline/sheet_link';
import { explain } from '../../shell/api';
import { book } from '../book.svelte';
import { type Apart, sheetWith } from '../entering';
import type { Game } from '../storage';
import { shown } from '../shown.svelte';
import { free, keep, type Notice } from './notices';

/** How soon after a change the sheet is sent; how often while bids are missing; and otherwise. */
const SOON_MS = 150;
const OFTEN_MS = 2000;
const SELDOM_MS = 5000;

export class Showing {
  /** The server's last answer. */
  notice: Notice | null = $state.raw(null);
  /** The players for whom phones bid, by name. The phones reconnect after a restart of the server,
   * and the page waits for them. */
  phones: readonly string[] = $state.raw([]);
  /** Why the sheet could not be sent. */
  trouble = $state('');
  #timer = 0;
  #busy = false;
  #due = false;
  #ended = false;

  /** Starts sending. Returns a function that stops it. */
  follow(): () => void {
    const now = () => this.soon(0);
    addEventListener('online', now);
    document.addEventListener('visibilitychange', now);
    this.soon(0);
    return () => {
      this.#ended = true;
      clearTimeout(this.#timer);
      removeEventListener('online', now);
      document.removeEventListener('visibilitychange', now);
    };
  }

  /** Send the sheet soon. */
  soon(wait = SOON_MS): void {
    this.#due = this.#busy;
    if (this.#busy || this.#ended) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tell(), wait);
  }

  /** Let another phone bid for a player. */
  async free(name: string): Promise<void> {
    await this.#ask(() => free(shown.key!, name));
    this.phones = this.phones.filter((each) => each !== name);
  }

  async #tell(): Promise<void> {
    const { game } = book;
    if (!game || game.id !== shown.id || document.hidden) return;
    this.#busy = true;
    await this.#ask(() => keep(updateOf(game, shown.key!)));
    this.#busy = false;
    // While bids are made, a phone may join at any moment, and is then asked for its own bid.
    const often = !this.trouble && this.notice?.asked.length;
    this.soon(this.#due ? SOON_MS : often ? OFTEN_MS : SELDOM_MS);
  }

  async #ask(what: () => Promise<Notice>): Promise<void> {
    try {
      const notice = await what();
      if (this.#ended) return;
      this.phones = phonesOf(notice, this.notice, this.phones);
      this.notice = notice;
      this.trouble = '';
      receive(notice);
    } catch (error) {
      this.trouble = explain(error);
    }
  }
}

/** A game as it is sent to the server. */
function updateOf({ id, sheet, entry }: Game, key: string) {
  const won = entry && !entry.won.includes(null) ? (entry.won as number[]) : null;
  return { key, game: id, sheet: writeLink(sheetWith(sheet, entry)), won };
}

/** Whether the server's answer is about the round being entered. */
function isOf(notice: Notice, { id, sheet, entry }: Game): boolean {
  const { round, whole, game } = notice;
  if (!entry || !round || game !== id || whole.rounds.length !== sheet.rounds.length + 1) {
    return false;
  }
  const deal = ({ seats, hand_size, dealer }: SheetRound) =>
    JSON.stringify([seats, hand_size, dealer]);
  return deal(round) === deal(entry);
}

/** Enter the bids that phones have made, once everyone may see them. */
function receive(notice: Notice): void {
  const { game } = book;
  if (game && isOf(notice, game)) book.receive(notice.round!.bids);
}

/** The players for whom phones bid, now or before a restart of the server. */
function phonesOf(
  { whole, phones, opened }: Notice,
  before: Notice | null,
  known: readonly string[],
): string[] {
  const here = whole.players.filter((_, player) => phones[player] !== null);
  const freed = (name: string) =>
    before?.opened === opened &&
    (before.phones[before.whole.players.indexOf(name)] ?? null) !== null;
  return [...here, ...known.filter((name) => !here.includes(name) && !freed(name))];
}

/** The bids of the round under way that are made on phones; `null` if none are. */
export function apartOf(
  game: Game,
  { notice, phones }: Pick<Showing, 'notice' | 'phones'>,
): Apart | null {
  const { sheet, entry } = game;
  if (!entry || !notice) return null;
  const phone = entry.seats.map((player) => phones.includes(sheet.players[player]!));
  if (!phone.includes(true)) return null;
  const about = isOf(notice, game);
  const made = entry.seats.map((player) => about && notice.have_bid.includes(player));
  const bids = entry.bids.map((bid, at) => bid ?? (made[at] ? 0 : null));
  return { hidden: hidesBids(sheet.rules, { ...entry, bids }), made, phone };
}
