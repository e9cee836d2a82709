// A finished game, fetched from the server.

import type { FinishedGame } from '../protocol';
import { get } from '../shell/api';

function gamePath(table: string, game: number): string {
  return `tables/${encodeURIComponent(table)}/games/${game}`;
}

/** Where the record can be downloaded, below the base. */
export function recordPath(table: string, game: number): string {
  return `api/${gamePath(table, game)}/record`;
}

/** Fetch a finished game. Throws a `Refusal`. */
export function load(table: string, game: number): Promise<FinishedGame> {
  return get<FinishedGame>(gamePath(table, game));
}
