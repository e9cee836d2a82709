// What somebody has written to moments of a game: kept on this device, by what was played.

import { hash } from '../offline/deal.ts';
import { store, storedData } from '../stored.ts';

/** What is written, by moment; an empty text takes away what came with the game. */
export type Remarks = Readonly<Record<string, string>>;

/** The most that a remark may have, and the most games whose remarks are kept. */
export const MAX_REMARK = 500;
const MAX_GAMES = 200;
const KEY = 'rage.remarks';

interface Kept {
  readonly at: number;
  readonly remarks: Remarks;
}

/** By what a game is known again, whoever's link it came with: its deals and what was played. */
export function nameOf(record: unknown): string {
  const rounds = (record as { rounds?: unknown } | null)?.rounds ?? null;
  return hash(JSON.stringify(rounds)).slice(0, 24);
}

function all(): Record<string, Kept> {
  const kept = storedData(KEY);
  return typeof kept === 'object' && kept !== null ? (kept as Record<string, Kept>) : {};
}

/** What was kept for a game. */
export function keptRemarks(name: string): Remarks {
  const remarks: unknown = all()[name]?.remarks;
  if (typeof remarks !== 'object' || remarks === null) return {};
  const written = Object.entries(remarks).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries(written);
}

/** Keep remarks in place of those before; whether this browser could. */
export function keepRemarks(name: string, remarks: Remarks, now: number): boolean {
  const { [name]: _, ...others } = all();
  const newest = Object.entries(others)
    .sort(([, a], [, b]) => (b.at || 0) - (a.at || 0))
    .slice(0, MAX_GAMES - 1);
  const mine = Object.keys(remarks).length ? { [name]: { at: now, remarks } } : {};
  return store(KEY, JSON.stringify({ ...Object.fromEntries(newest), ...mine }));
}

/** What is shown: what came with the game, and over it what was written here. */
export function merged(given: Remarks, own: Remarks): Remarks {
  const both = Object.entries({ ...given, ...own }).filter(([, text]) => text !== '');
  return Object.fromEntries(both);
}

/** What was written here after a change; nothing is kept that came with the game as it is. */
export function written(given: Remarks, own: Remarks, at: string, text: string): Remarks {
  const { [at]: _, ...others } = own;
  const said = [...text.trim().normalize()].slice(0, MAX_REMARK).join('');
  return said === (given[at] ?? '') ? others : { ...others, [at]: said };
}
