// A finished game, fetched from the server.

import type { WireReason } from '../say.ts';
import type { Replay } from './replay.ts';

export interface FinishedGame {
  readonly replay: Replay;
  /** The record (docs/record.md) as JSON data. */
  readonly record: unknown;
}

/** Where the record can be downloaded. */
export function recordPath(table: string, game: number): string {
  return `${gamePath(table, game)}/record`;
}

function gamePath(table: string, game: number): string {
  return `api/tables/${encodeURIComponent(table)}/games/${game}`;
}

/** What the server says no with. */
export class NoGame extends Error {
  readonly reason: WireReason | null;

  constructor(reason: WireReason | null) {
    super('no game');
    this.reason = reason;
  }
}

/** Fetch a finished game. Throws `NoGame`. */
export async function load(table: string, game: number): Promise<FinishedGame> {
  const response = await fetch(gamePath(table, game)).catch(() => null);
  if (response?.ok) return (await response.json()) as FinishedGame;
  const said = (await response?.json().catch(() => null)) as { reason?: WireReason } | null;
  throw new NoGame(said?.reason ?? null);
}
