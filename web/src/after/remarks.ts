// Remarks on moments of a game, kept on this device under the game they belong to.

import { hash } from '../offline/deal.ts';
import { MAX_REMARK } from '../protocol.ts';
import { store, storedData } from '../stored.ts';

/** Remarks by moment; an empty text hides one that came with the game. */
export type Remarks = Readonly<Record<string, string>>;

/** Games whose remarks are kept. */
const MAX_GAMES = 200;
const KEY = 'rage.remarks';

interface Kept {
  readonly at: number;
  readonly remarks: Remarks;
}

/** The key of a game: its deals and moves, so that every link to it finds its remarks. */
export function nameOf(record: unknown): string {
  const rounds = (record as { rounds?: unknown } | null)?.rounds ?? null;
  return hash(JSON.stringify(rounds)).slice(0, 24);
}

function all(): Record<string, Kept> {
  const kept = storedData(KEY);
  return typeof kept === 'object' && kept !== null ? (kept as Record<string, Kept>) : {};
}

/** The remarks kept for a game. */
export function keptRemarks(name: string): Remarks {
  const remarks: unknown = all()[name]?.remarks;
  if (typeof remarks !== 'object' || remarks === null) return {};
  const written = Object.entries(remarks).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries(written);
}

/** Replace the stored remarks. Returns whether the browser could store them. */
export function keepRemarks(name: string, remarks: Remarks, now: number): boolean {
  const { [name]: _, ...others } = all();
  const newest = Object.entries(others)
    .sort(([, a], [, b]) => (b.at || 0) - (a.at || 0))
    .slice(0, MAX_GAMES - 1);
  const mine = Object.keys(remarks).length ? { [name]: { at: now, remarks } } : {};
  return store(KEY, JSON.stringify({ ...Object.fromEntries(newest), ...mine }));
}

/** The remarks to show: those that came with the game, overridden by those written here. */
export function mergeRemarks(given: Remarks, own: Remarks): Remarks {
  const both = Object.entries({ ...given, ...own }).filter(([, text]) => text !== '');
  return Object.fromEntries(both);
}

/** The remarks written here after a change, without those that came with the game. */
export function editRemark(given: Remarks, own: Remarks, at: string, text: string): Remarks {
  const { [at]: _, ...others } = own;
  const said = [...text.trim().normalize()].slice(0, MAX_REMARK).join('');
  return said === (given[at] ?? '') ? others : { ...others, [at]: said };
}
