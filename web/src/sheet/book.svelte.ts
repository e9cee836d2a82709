// The sheets of this device, and the one on the page.

import {
  type Beginning,
  beginRound,
  checkRound,
  checkSheet,
  finishedRounds,
  hasEnded,
  isOver,
  newSheet,
  nextDealer,
  seatsOf,
  type Sheet,
  type SheetRound,
  stop,
  underWay,
} from '../offline/sheet';
import { nameOf, type Rules } from '../offline/names';
import { isObject, largestHand } from '../offline/rules';
import {
  askToStay,
  currentId,
  forgetGame,
  type Game,
  gameData,
  gameFrom,
  isGame,
  isPast,
  keepCurrent,
  keepGame,
  keepPast,
  keepUsual,
  keptGames,
  pastOf,
  usual,
} from './storage';
import { type Apart, hasCards, fillTricks, wholeSheet, withNoCards } from './entering';
import { writeSheet } from '../offline/sheet_file';
import { keepUsed } from '../settings.svelte';

/** How many steps can be undone: enough for every card of a round. */
const MAX_PAST = 150;

class Book {
  games: readonly Game[] = $state.raw(keptGames());
  #id: string | null = $state(currentId());
  #past: readonly string[] = $state.raw(this.#id === null ? [] : (pastOf(this.#id) ?? []));
  /** The games that this browser could not save. */
  #unkept: readonly Game[] = $state.raw([]);

  /** The bids that players make on their own phones while others watch the sheet. */
  apart: Apart | null = $state.raw(null);

  readonly game = $derived(this.games.find(({ id }) => id === this.#id) ?? null);
  readonly canUndo = $derived(this.#past.length > 0);
  /** Whether any data lasts only as long as the page is open. */
  readonly lost = $derived(this.#unkept.length > 0);

  constructor() {
    // Take over entries from another tab, so that neither overwrites the other.
    addEventListener('storage', ({ key }) => {
      if (key === null || isGame(key)) this.#read();
      if (this.game && isPast(key)) this.#past = pastOf(this.game.id) ?? this.#past;
    });
    // A page restored from the browser's cache has missed such changes.
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return;
      this.#read();
      this.#past = (this.game && pastOf(this.game.id)) ?? [];
    });
  }

  /** Begin a sheet. Throws a `Refusal`. */
  begin(rules: Rules, players: readonly string[], dealer: number): void {
    const empty = newSheet(rules, players, { started: now() });
    this.#open({ id: freshId(), ...beginNext(empty, { dealer }) });
    keepUsed(rules.edition);
    keepUsual({ rules: nameOf(rules), players, names: usual().names });
    askToStay();
  }

  /** Play again with the last seats; the deal passes to the left. Throws a `Refusal`. */
  again(): void {
    const { sheet } = this.game!;
    const seats = seatsOf(sheet);
    const players = seats.map((player) => sheet.players[player]!);
    this.begin(sheet.rules, players, seats.indexOf(nextDealer(sheet, seats)));
  }

  /** Put a sheet from elsewhere on the page, and keep it unless it is here already. Throws a
   * `Refusal`. */
  take(sheet: Sheet): void {
    const here = this.games.find((game) => textsOf(game).includes(writeSheet(sheet)));
    if (here) this.open(here.id);
    else this.#open(takeSheet(sheet));
  }

  /** Keep many sheets, except ones that are here already. Throws a `Refusal` and keeps none. */
  takeAll(sheets: readonly Sheet[]): void {
    const known = new Set(this.games.flatMap(textsOf));
    this.#keep(...sheets.filter((sheet) => !known.has(writeSheet(sheet))).map(takeSheet));
    this.#read();
  }

  open(id: string): void {
    this.#id = id;
    this.#past = pastOf(id) ?? [];
    keepCurrent(id);
  }

  close(): void {
    this.#id = null;
    this.#past = [];
    keepCurrent(null);
  }

  remove(id: string): void {
    forgetGame(id);
    this.games = this.games.filter((each) => each.id !== id);
    this.#unkept = this.#unkept.filter((each) => each.id !== id);
    this.#keep(); // there is room again
    if (id === this.#id) this.close();
  }

  /** Replace the round under way. */
  enter(entry: SheetRound): void {
    this.#change({ entry: hasCards(entry) ? entry : fillTricks(entry, this.apart) });
  }

  /** Enter bids from phones, by seat, where there are none yet. This cannot be undone. */
  receive(bids: SheetRound['bids']): void {
    const game = this.game!;
    const { entry } = game;
    if (!entry?.bids.some((bid, at) => bid === null && bids[at] !== null)) return;
    this.#put({
      ...game,
      entry: { ...entry, bids: entry.bids.map((bid, at) => bid ?? bids[at]!) },
    });
  }

  /** Record the round under way with its cards. */
  record(): void {
    const { entry } = this.game!;
    if (entry) this.#change({ entry: withNoCards(entry) });
  }

  /** The round is over: add it up, and begin the next. Throws a `Refusal`, and changes nothing. */
  finish(): void {
    const { sheet, entry } = this.game!;
    if (!entry || !isOver(entry)) return;
    checkRound(sheet, entry);
    const longer = checkSheet({ ...sheet, rounds: [...sheet.rounds, entry] });
    this.#change(beginNext(longer));
  }

  /** Change a round that is over, by its index. Throws a `Refusal`, and changes nothing. */
  correct(index: number, round: SheetRound): void {
    const { sheet } = this.game!;
    checkRound(sheet, round);
    const rounds = sheet.rounds.map((each, at) => (at === index ? round : each));
    this.#change({ sheet: checkSheet({ ...sheet, rounds }) });
  }

  /** Change the seats, dealer or hand size of the round under way. New players are added to the
   * sheet, and those who never had a seat are removed. Bids stay with their players; cards have to
   * be entered again. Throws a `Refusal`, and changes nothing. */
  seat(players: readonly string[], given: Required<Beginning>): void {
    const { sheet, entry } = this.game!;
    const seated = new Set([...sheet.rounds, given].flatMap(({ seats }) => seats));
    const stay = [...players.keys()].filter((player) => seated.has(player));
    const renumbered = <Seats extends Required<Beginning>>(of: Seats): Seats => ({
      ...of,
      seats: of.seats.map((player) => stay.indexOf(player)),
      dealer: stay.indexOf(of.dealer),
    });
    const changed = checkSheet({
      ...sheet,
      players: stay.map((player) => players[player]!),
      rounds: sheet.rounds.map(renumbered),
    });
    const fresh = beginRound(changed, renumbered(given)).rounds.at(-1)!;
    const same = entry && given.hand_size === entry.hand_size;
    const bids = given.seats.map((player) => {
      const at = same ? entry.seats.indexOf(player) : -1;
      return at < 0 ? null : entry!.bids[at]!;
    });
    const next = { ...fresh, bids };
    const recorded = entry && hasCards(entry);
    this.#change({ sheet: changed, entry: recorded ? withNoCards(next) : next });
  }

  /** Change the rules and names of the game (amending.ts). */
  amend(changed: Pick<Game, 'sheet' | 'entry'>): void {
    this.#change(changed);
    keepUsed(changed.sheet.rules.edition);
  }

  /** End the game before its last round; entries for the round under way are dropped. Throws a
   * `Refusal`. */
  stop(): void {
    this.#change({ sheet: withEnd(stop(this.game!.sheet)), entry: null });
  }

  /** Resume a stopped game. */
  goOn(): void {
    this.#change(beginNext(withoutEnd({ ...this.game!.sheet, stopped: false })));
  }

  undo(): void {
    const before: unknown = JSON.parse(this.#past.at(-1) ?? 'null');
    this.#past = this.#past.slice(0, -1);
    const game = isObject(before) && gameFrom({ ...gameData(this.game!), ...before });
    if (game) this.#put(game);
  }

  #open(game: Game): void {
    this.games = [game, ...this.games];
    this.#past = [];
    this.#id = game.id;
    keepCurrent(game.id);
    this.#put(game);
  }

  #change(changes: Partial<Omit<Game, 'id'>>): void {
    const game = this.game!;
    // Only what changes, because a sheet may hold every card of a game.
    const before = Object.entries(gameData(game)).filter(([name]) => name in changes);
    this.#past = [...this.#past, JSON.stringify(Object.fromEntries(before))].slice(-MAX_PAST);
    this.#put({ ...game, ...changes });
  }

  #put(game: Game): void {
    this.games = this.games.map((each) => (each.id === game.id ? game : each));
    this.#keep(game);
    keepPast(game.id, this.#past);
  }

  /** Save games, including those that could not be saved before. */
  #keep(...games: readonly Game[]): void {
    const ids = games.map(({ id }) => id);
    const before = this.#unkept.filter(({ id }) => !ids.includes(id));
    this.#unkept = [...games, ...before].filter((game) => !keepGame(game));
  }

  /** Read the saved games; those that could not be saved stay as they are here. */
  #read(): void {
    this.games = keptGames(this.#unkept);
  }
}

/** A sheet from elsewhere as a game of this device that continues the round under way. Throws a
 * `Refusal`. */
function takeSheet(sheet: Sheet): Game {
  const started = sheet.extra['started'] ?? now();
  const kept = { ...sheet, rounds: finishedRounds(sheet), extra: { ...sheet.extra, started } };
  const game = { id: freshId(), sheet: kept, entry: underWay(sheet) };
  return game.entry || hasEnded(kept) ? game : { ...game, ...beginNext(kept) };
}

/** The file of a game as it is here, and as it was if it came undated. */
function textsOf(game: Game): string[] {
  const whole = wholeSheet(game);
  const { started: _, ...extra } = whole.extra;
  return [writeSheet(whole), writeSheet({ ...whole, extra })];
}

/** A sheet with its next round begun, or at its end. The round has fewer cards than scheduled if
 * there are too many players for that. */
export function beginNext(sheet: Sheet, given: Beginning = {}): Pick<Game, 'sheet' | 'entry'> {
  if (hasEnded(sheet)) return { sheet: withEnd(sheet), entry: null };
  const most = largestHand(sheet.rules, seatsOf(sheet).length, true);
  const hand_size = Math.min(sheet.rules.schedule[sheet.rounds.length]!, most);
  return { sheet, entry: beginRound(sheet, { hand_size, ...given }).rounds.at(-1)! };
}

export function withoutEnd(sheet: Sheet): Sheet {
  const { ended: _, ...extra } = sheet.extra;
  return { ...sheet, extra };
}

function withEnd(sheet: Sheet): Sheet {
  return { ...sheet, extra: { ...sheet.extra, ended: now() } };
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
const freshId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

export const book = new Book();
