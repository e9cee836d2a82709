// A finished game, fetched from the server.

import { get } from '../shell/api';
import type { Replay } from './replay';

export interface FinishedGame {
  readonly replay: Replay;
  /** The record (docs/record.md) as JSON data. */
  readonly record: unknown;
}

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
