// What this browser has noted of a game before it began: the commitment to its seed, the list of the
// commitments to its words, what else the deal depends on, and the word of its own. Only who noted
// them can tell afterwards whether they are the same, so the page notes them by table and game, and
// the proof looks here.

import type { PackData } from '../protocol.ts';
import { store, storedData } from '../stored.ts';

const KEY = 'rage.witness';
const MAX_NOTES = 100;

/** What was wrong: another seed was committed to, my word was left out, or the list was changed, or
 * one of the terms. */
export type Alarm = 'seed' | 'word' | 'list' | keyof Terms;

/** What the deals depend on beside seed and words. */
export interface Terms {
  readonly players: number;
  readonly schedule: readonly number[];
  readonly pack: PackData;
  /** Who deals the first round; null where the seed says. */
  readonly dealer: number | null;
  /** By seat, the names of those who sat there when the words were fixed. */
  readonly seating: readonly string[];
}

export interface Witness {
  readonly commitment: string;
  /** When it was noted, in milliseconds since 1970. */
  readonly at: number;
  /** The words that I have committed to, the last one last. */
  readonly words?: readonly string[];
  /** What I typed for the last of them. */
  readonly typed?: string;
  /** In which seat, and under which name, the table has shown a commitment of mine. */
  readonly shown?: { readonly seat: number; readonly name: string } | undefined;
  /** By seat, the commitments to all words, and the terms, noted before my own was revealed;
   * `late`: after another was. */
  readonly hashes?: readonly (string | null)[];
  readonly terms?: Terms;
  readonly late?: boolean;
  /** By seat, who sat there then; `seated`: the game has been seen to begin with the same. */
  readonly people?: readonly (string | null)[];
  readonly seated?: boolean;
  /** My seat then, and my word that is in the list; `revealed`: the table has taken it in. */
  readonly seat?: number;
  readonly own?: string;
  readonly revealed?: boolean;
  /** I was told that the game has begun without a word of mine. */
  readonly missing?: boolean;
  readonly alarm?: Alarm;
}
type Witnesses = Record<string, Witness>;

/** What could not be stored; it is known for as long as the page is open. */
let unstored: Witnesses = {};

function read(): Witnesses {
  const kept = storedData(KEY);
  const notes = typeof kept === 'object' && kept !== null ? (kept as Witnesses) : {};
  return { ...notes, ...unstored };
}

/** What was noted of a table's game; null where nothing was. */
export function noted(table: string, game: number): Witness | null {
  const note = read()[`${table}/${game}`];
  return typeof note?.commitment === 'string' ? note : null;
}

/** Note something of a table's game; what was noted before and is not in `changes` stays. */
export function note(table: string, game: number, changes: Partial<Witness>): Witness {
  const key = `${table}/${game}`;
  const made = { commitment: '', at: 0, ...noted(table, game), ...changes };
  const others = Object.entries(read())
    .filter(([each]) => each !== key)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MAX_NOTES - 1);
  const kept = store(KEY, JSON.stringify({ ...Object.fromEntries(others), [key]: made }));
  const waiting = others.filter(([each]) => each in unstored);
  unstored = kept ? {} : { ...Object.fromEntries(waiting), [key]: made };
  return made;
}

/** The first of the terms that differs; null where all are the same. */
export function otherTerm(one: Terms, other: Terms): keyof Terms | null {
  const { pack } = one;
  const kinds = Object.keys(pack) as (keyof PackData)[];
  if (one.players !== other.players) return 'players';
  if (!alike(one.schedule, other.schedule)) return 'schedule';
  if (kinds.some((kind) => pack[kind] !== other.pack[kind])) return 'pack';
  if (!alike(one.seating, other.seating)) return 'seating';
  return one.dealer === other.dealer ? null : 'dealer';
}

/** Whether two lists of commitments are the same. */
export function alike(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, i) => each === other[i]);
}
