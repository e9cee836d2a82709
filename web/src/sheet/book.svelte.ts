// The sheets of this device, and the one that is on the page.

import { Refusal } from '../offline/refusal';
import {
  type Beginning,
  beginRound,
  checkRound,
  checkSheet,
  hasEnded,
  isOver,
  newSheet,
  type Sheet,
  type SheetRound,
  stop,
  underWay,
} from '../offline/sheet';
import { nameOf, type Rules } from '../offline/names';
import { isObject } from '../offline/rules';
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
} from './kept';
import { type Apart, hasCards, isUntouched, rested, withNoCards } from './entering';
import { writeSheet } from '../offline/sheet_file';

/** How many steps can be undone: each card of a round. */
const MAX_PAST = 150;

class Book {
  games: readonly Game[] = $state.raw(keptGames());
  #id: string | null = $state(currentId());
  #past: readonly string[] = $state.raw(this.#id === null ? [] : pastOf(this.#id));
  /** Whether this browser could not keep what was entered last. */
  lost = $state(false);

  /** The bids that players make on phones of their own, while others watch the sheet. */
  apart: Apart | null = $state.raw(null);

  readonly game = $derived(this.games.find(({ id }) => id === this.#id) ?? null);
  readonly canUndo = $derived(this.#past.length > 0);

  constructor() {
    // What is entered in another tab is here at once, so that neither undoes the other.
    addEventListener('storage', ({ key }) => {
      if (key === null || isGame(key)) this.games = keptGames();
      if (key === null || isPast(key)) this.#past = this.game ? pastOf(this.game.id) : [];
    });
  }

  /** Begin a sheet, with its cards if they are recorded. Throws a `Refusal`. */
  begin(rules: Rules, players: readonly string[], dealer: number, recording = false): void {
    const empty = newSheet(rules, players, { started: now() });
    this.#open({ id: freshId(), recording, ...begun(empty, recording, { dealer }) });
    keepUsual({ rules: nameOf(rules), players, names: usual().names });
    askToStay();
  }

  /** Put a sheet from elsewhere on the page, and keep it. */
  take(sheet: Sheet): void {
    const started = sheet.extra['started'] ?? now();
    const round = underWay(sheet);
    const kept = {
      ...sheet,
      rounds: round ? sheet.rounds.slice(0, -1) : sheet.rounds,
      extra: { ...sheet.extra, started },
    };
    const recording = sheet.rounds.some(hasCards);
    const game = { id: freshId(), sheet: kept, entry: round, recording };
    this.#open(round || hasEnded(kept) ? game : { ...game, ...begun(kept, recording) });
  }

  /** Keep many sheets, but for those that are here already. */
  takeAll(sheets: readonly Sheet[]): void {
    const known = new Set(this.games.map(({ sheet }) => writeSheet(sheet)));
    const fresh = sheets
      .filter((sheet) => !known.has(writeSheet(sheet)))
      .map((sheet): Game => ({ id: freshId(), sheet, entry: null, recording: false }));
    this.lost = !fresh.every(keepGame);
    this.games = keptGames();
  }

  open(id: string): void {
    this.#id = id;
    this.#past = pastOf(id);
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
    if (id === this.#id) this.close();
  }

  /** Enter something for the round under way, as far as it goes. */
  enter(entry: SheetRound): void {
    this.#change({ entry: hasCards(entry) ? entry : rested(entry, this.apart) });
  }

  /** Put bids that have come from phones, by seat, where none have been entered: not a step that can
   * be undone. */
  receive(bids: SheetRound['bids']): void {
    const game = this.game!;
    const { entry } = game;
    if (!entry?.bids.some((bid, at) => bid === null && bids[at] !== null)) return;
    this.#put({
      ...game,
      entry: { ...entry, bids: entry.bids.map((bid, at) => bid ?? bids[at]!) },
    });
  }

  /** Record the round under way with its cards, and those that follow; or, from now on, none. */
  record(recording: boolean): void {
    const { entry } = this.game!;
    this.#change({ recording, entry: entry && recording ? withNoCards(entry) : entry });
  }

  /** The round is over: add it up, and begin the next. Throws a `Refusal`, and changes nothing. */
  finish(): void {
    const { sheet, entry, recording } = this.game!;
    if (!entry || !isOver(entry)) return;
    checkRound(sheet, entry);
    const longer = checkSheet({ ...sheet, rounds: [...sheet.rounds, entry] });
    this.#change(begun(longer, recording));
  }

  /** Change a round that is over, by its index. Throws a `Refusal`, and changes nothing. */
  correct(index: number, round: SheetRound): void {
    const { sheet } = this.game!;
    checkRound(sheet, round);
    const rounds = sheet.rounds.map((each, at) => (at === index ? round : each));
    this.#change({ sheet: checkSheet({ ...sheet, rounds }) });
  }

  /** Other seats, another dealer or hand size for the round under way; whoever is new is added to
   * the sheet. What was bid stays with who bid it; cards have to be entered again. Throws a
   * `Refusal`, and changes nothing. */
  seat(players: readonly string[], given: Required<Beginning>): void {
    const { sheet, entry } = this.game!;
    const wider = { ...sheet, players };
    const fresh = beginRound(wider, given).rounds.at(-1)!;
    const same = entry && given.hand_size === entry.hand_size;
    const bids = given.seats.map((player) => {
      const at = same ? entry.seats.indexOf(player) : -1;
      return at < 0 ? null : entry!.bids[at]!;
    });
    const next = { ...fresh, bids };
    const recorded = entry && hasCards(entry);
    this.#change({ sheet: checkSheet(wider), entry: recorded ? withNoCards(next) : next });
  }

  /** End the game before its last round; what was entered for the round under way is dropped.
   * Throws a `Refusal`. */
  stop(): void {
    this.#change({ sheet: ended(stop(this.game!.sheet)), entry: null });
  }

  /** Go on with a game that was stopped. */
  goOn(): void {
    const { sheet, recording } = this.game!;
    const { ended: _, ...extra } = sheet.extra;
    this.#change(begun({ ...sheet, stopped: false, extra }, recording));
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
    // Only what changes: a sheet may have every card of a game with it.
    const before = Object.entries(gameData(game)).filter(([name]) => name in changes);
    this.#past = [...this.#past, JSON.stringify(Object.fromEntries(before))].slice(-MAX_PAST);
    this.#put({ ...game, ...changes });
  }

  #put(game: Game): void {
    this.games = this.games.map((each) => (each.id === game.id ? game : each));
    this.lost = !keepGame(game);
    keepPast(game.id, this.#past);
  }
}

/** A sheet with its next round begun, as something to be entered; or at its end. */
function begun(
  sheet: Sheet,
  recording: boolean,
  given: Beginning = {},
): Pick<Game, 'sheet' | 'entry'> {
  if (hasEnded(sheet)) return { sheet: ended(sheet), entry: null };
  const entry = beginRound(sheet, given).rounds.at(-1)!;
  return { sheet, entry: recording ? withNoCards(entry) : entry };
}

function ended(sheet: Sheet): Sheet {
  return { ...sheet, extra: { ...sheet.extra, ended: now() } };
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
const freshId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/** The sheet with what has been entered so far, as files and links have it: tricks and cards only
 * as far as they can be right. */
export function wholeSheet({ sheet, entry }: Pick<Game, 'sheet' | 'entry'>): Sheet {
  if (!entry || isUntouched(entry)) return sheet;
  return sheetWith(sheet, entry);
}

/** The same, with a round for which nothing has been entered yet. */
export function sheetWith(sheet: Sheet, entry: SheetRound | null): Sheet {
  if (!entry) return sheet;
  const open = {
    ...entry,
    won: entry.won.map(() => null),
    bonus: entry.bonus.map(() => 0),
    mad: entry.mad.map(() => 0),
  };
  const empty = { ...open, bids: entry.bids.map(() => null) };
  for (const round of isOver(entry) ? [open, empty] : [entry, open, empty]) {
    try {
      return checkSheet({ ...sheet, rounds: [...sheet.rounds, round] });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return sheet;
}

export const book = new Book();
