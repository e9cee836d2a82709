// What this browser noted before a game began: the commitment to its seed, all commitments to
// words, everything else that the deal depends on, and its own word. Only a browser that noted them
// can later tell whether they stayed the same. Stored by table and game; the proof reads it.

import { ERASED } from '../codes.ts';
import { hash } from '../offline/deal.ts';
import type { PackData } from '../protocol.ts';
import { store, storedData } from '../stored.ts';

const KEY = 'rage.witness';
const MAX_NOTES = 100;

/** What went wrong: the seed, the list of commitments or a term changed; my word was left out; I
 * was given another seat; or cards that I saw have changed. */
export type Alarm = 'seed' | 'word' | 'list' | 'seat' | 'cards' | keyof Terms;

/** The terms of the deals, apart from seed and words. */
export interface Terms {
  readonly players: number;
  readonly schedule: readonly number[];
  readonly pack: PackData;
  /** The first dealer; null if the seed decides. */
  readonly dealer: number | null;
  /** The names by seat when the words were fixed. */
  readonly seating: readonly string[];
}

/** My view of a round: the hand as dealt to my seat, the cards turned up and, once the round is
 * over, the hash of its tricks. */
export interface Seen {
  readonly seat?: number;
  readonly hand?: string;
  readonly turned: string;
  readonly tricks?: string;
}

export interface Witness {
  readonly commitment: string;
  /** When it was noted, in milliseconds since 1970. */
  readonly at: number;
  /** The words I committed to, latest last. */
  readonly words?: readonly string[];
  /** The text that I typed for the latest of them. */
  readonly typed?: string;
  /** The seat and name beside which the table showed a commitment of mine. */
  readonly shown?: { readonly seat: number; readonly name: string } | undefined;
  /** The commitments to all words by seat, and the terms, noted before my word was revealed; `late`
   * if others were revealed before. */
  readonly hashes?: readonly (string | null)[];
  readonly terms?: Terms;
  readonly late?: boolean;
  /** The people by seat at that time; `seated` once the game has begun with the same people. */
  readonly people?: readonly (string | null)[];
  readonly seated?: boolean;
  /** My seat then, and my word in the list; `revealed` once the table has accepted it. */
  readonly seat?: number;
  readonly own?: string;
  readonly revealed?: boolean;
  /** The seat that I have during the game, unless I gave it up, and one that I have `asked` for. */
  readonly held?: number | undefined;
  readonly asked?: number | undefined;
  /** The names that seats got by events, as `1 Ann`, and my view of each round, by number. */
  readonly told?: readonly string[];
  readonly rounds?: Readonly<Record<string, Seen>>;
  /** Whether the page has said that the game began without a word of mine. */
  readonly missing?: boolean;
  readonly alarm?: Alarm;
}
type Witnesses = Record<string, Witness>;

/** Notes that could not be stored; they last as long as the page is open. */
let unstored: Witnesses = {};

function read(): Witnesses {
  const kept = storedData(KEY);
  const notes = typeof kept === 'object' && kept !== null ? (kept as Witnesses) : {};
  return { ...notes, ...unstored };
}

/** The notes on a table's game, or null. */
export function notesOn(table: string, game: number): Witness | null {
  const note = read()[`${table}/${game}`];
  return typeof note?.commitment === 'string' ? note : null;
}

/** Add to the notes on a table's game. */
export function note(table: string, game: number, changes: Partial<Witness>): Witness {
  const key = `${table}/${game}`;
  const made = { commitment: '', at: 0, ...notesOn(table, game), ...changes };
  const others = Object.entries(read())
    .filter(([each]) => each !== key)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MAX_NOTES - 1);
  const kept = store(KEY, JSON.stringify({ ...Object.fromEntries(others), [key]: made }));
  const waiting = others.filter(([each]) => each in unstored);
  unstored = kept ? {} : { ...Object.fromEntries(waiting), [key]: made };
  return made;
}

/** The first term that differs; null if all are equal. */
export function firstDifference(one: Terms, other: Terms): keyof Terms | null {
  const { pack } = one;
  const kinds = Object.keys(pack) as (keyof PackData)[];
  if (one.players !== other.players) return 'players';
  if (!sameList(one.schedule, other.schedule)) return 'schedule';
  if (kinds.some((kind) => pack[kind] !== other.pack[kind])) return 'pack';
  if (!sameSeating(one.seating, other.seating)) return 'seating';
  return one.dealer === other.dealer ? null : 'dealer';
}

/** Whether two seatings are the same, ignoring names that have been erased since. */
function sameSeating(one: readonly string[], other: readonly string[]): boolean {
  const kept = one.map((name, seat) => (ERASED.test(other[seat] ?? '') ? other[seat] : name));
  return sameList(kept, other);
}

/** Whether two lists of commitments are equal. */
export function sameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, i) => each === other[i]);
}

/** The hash of the tricks of a round: for each, the moves in the order played. */
export function hashOfTricks(tricks: readonly unknown[]): string {
  return hash(tricks.join('/'));
}
