// The sheets of this device: one text for each in the browser's store, written at each tap, so that
// it survives reloading, a dead battery and months.

import { toBase64url } from '../base64url.ts';
import { type Sheet, type SheetRound } from '../offline/sheet.ts';
import { sheetData, sheetFrom } from '../offline/sheet_file.ts';
import { isObject } from '../offline/rules.ts';
import { store, readStored, storedData } from '../stored.ts';

/** A sheet, and what is being entered for the round under way. */
export interface Game {
  readonly id: string;
  readonly sheet: Sheet;
  readonly entry: SheetRound | null;
}

/** What is remembered for the next sheet. */
export interface Usual {
  /** The name of the rule set; none before the first sheet. */
  readonly rules: string | null;
  readonly players: readonly string[];
  /** All names of this device, the last ones first. */
  readonly names: readonly string[];
}

const PREFIX = 'rage.sheet.';
const CURRENT = 'rage.sheet-now';
const PAST = 'rage.sheet-past';
const USUAL = 'rage.sheet-usual';
const SHOWN = 'rage.sheet-shown';
const PHONES = 'rage.sheet-phones';

/** What a key of the store holds: a game, its undo history, or the sheet that others watch. */
export const isGame = (key: string) => key.startsWith(PREFIX);
export const isPast = (key: string | null) => key === PAST;
export const isShown = (key: string) => key === SHOWN;

/** Saves a value. Returns whether the browser could. */
function keep(key: string, value: unknown): boolean {
  return store(key, JSON.stringify(value));
}

function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // a browser that keeps nothing
  }
}

/** A game as plain data. */
export function gameData({ id, sheet, entry }: Game): Record<keyof Game, unknown> {
  return { id, sheet: sheetData(sheet), entry };
}

/** The game of plain data; `null` if it cannot be read. */
export function gameFrom(data: unknown): Game | null {
  if (!isObject(data) || typeof data['id'] !== 'string') return null;
  try {
    const sheet = sheetFrom(data['sheet']);
    const entry = isObject(data['entry']) ? (data['entry'] as unknown as SheetRound) : null;
    return { id: data['id'], sheet, entry };
  } catch {
    return null;
  }
}

/** The games of this device, latest first; `unkept` ones as given. */
export function keptGames(unkept: readonly Game[] = []): Game[] {
  const here = unkept.map(({ id }) => id);
  const found = everyKept().map((data) => gameFrom(data));
  const kept = found.filter((game) => game !== null).filter(({ id }) => !here.includes(id));
  return [...unkept, ...kept].sort((a, b) => startedAt(b) - startedAt(a));
}

/** The data saved as games that cannot be read. */
export function unreadable(): unknown[] {
  return everyKept().filter((data) => !gameFrom(data));
}

function everyKept(): unknown[] {
  try {
    return Object.keys(localStorage)
      .filter(isGame)
      .map((key) => storedData(key) ?? readStored(key));
  } catch {
    return []; // a browser that keeps nothing
  }
}

/** When a game began, in milliseconds since 1970. */
export function startedAt({ sheet }: Pick<Game, 'sheet'>): number {
  return Date.parse(String(sheet.extra['started'])) || 0;
}

/** Saves a game. Returns whether the browser could. */
export function keepGame(game: Game): boolean {
  return keep(PREFIX + game.id, gameData(game));
}

export function forgetGame(id: string): void {
  forget(PREFIX + id);
}

/** The game that was on the page last. */
export function currentId(): string | null {
  const id = storedData(CURRENT);
  return typeof id === 'string' ? id : null;
}

export function keepCurrent(id: string | null): void {
  if (id === null) forget(CURRENT);
  else keep(CURRENT, id);
}

/** The earlier states of a game, for undoing, latest last; `null` if another game's are saved. */
export function pastOf(id: string): string[] | null {
  const kept = storedData(PAST);
  const mine = isObject(kept) && kept['id'] === id && Array.isArray(kept['past']);
  return mine ? (kept['past'] as unknown[]).filter((each) => typeof each === 'string') : null;
}

export function keepPast(id: string, past: readonly string[]): void {
  keep(PAST, { id, past });
}

export function usual(): Usual {
  const kept = storedData(USUAL);
  const { rules, players, names } = isObject(kept) ? kept : {};
  const texts = (list: unknown) =>
    Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
  return {
    rules: typeof rules === 'string' ? rules : null,
    players: texts(players),
    names: texts(names),
  };
}

/** How many names are remembered. */
const MAX_NAMES = 40;

export function keepUsual({ rules, players, names }: Usual): void {
  const all = [...new Set([...players, ...names])].slice(0, MAX_NAMES);
  keep(USUAL, { rules, players, names: all });
}

/** A sheet that others may watch: which game it is, and the key that proves its keeper. */
export interface KeptShown {
  readonly key: string;
  readonly id: string;
}

export function keptShown(): KeptShown | null {
  const kept = storedData(SHOWN);
  const { key, id } = isObject(kept) ? kept : {};
  return typeof key === 'string' && typeof id === 'string' ? { key, id } : null;
}

export function keepShown(shown: KeptShown | null): void {
  if (shown) keep(SHOWN, shown);
  else forget(SHOWN);
}

/** A bid that was made here, and which one the server has (`null`: none yet). */
export interface KeptBid {
  readonly game: string;
  readonly round: number;
  readonly n: number;
  readonly sent: number | null;
}

/** The player for whom this phone bids on a sheet kept elsewhere: the proof, the number of the
 * phone there, since when that server has had the sheet, and the last bid. */
export interface KeptPhone {
  readonly name: string;
  readonly proof: string;
  readonly number: number;
  readonly opened: number;
  readonly bid: KeptBid | null;
}

/** How many sheets on which this phone bids are remembered. */
const MAX_PHONES = 4;

function phones(): Readonly<Record<string, KeptPhone>> {
  const kept = storedData(PHONES);
  return isObject(kept) ? (kept as Record<string, KeptPhone>) : {};
}

/** This phone as registered on the sheet of a code. */
export function keptPhone(code: string): KeptPhone | null {
  return phones()[code] ?? null;
}

export function keepPhone(code: string, phone: KeptPhone | null): void {
  const others = Object.entries(phones()).filter(([each]) => each !== code);
  const mine = phone ? [[code, phone] as const] : [];
  keep(PHONES, Object.fromEntries([...others, ...mine].slice(-MAX_PHONES)));
}

/** 32 random bytes in base64url, even in an insecure context. */
export function freshSecret(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Ask the browser not to clear the store when it runs out of room; it may refuse. */
export function askToStay(): void {
  void navigator.storage?.persist?.().catch(() => false);
}
