// Loads a finished game from the server, or has the server check a shared one.

import type { FinishedGame, OpenedGame } from '../protocol';
import { get, send } from '../shell/api';

function gamePath(table: string, game: number): string {
  return `tables/${encodeURIComponent(table)}/games/${game}`;
}

/** The path of the downloadable record, relative to the base. */
export function recordPath(table: string, game: number): string {
  return `api/${gamePath(table, game)}/record`;
}

/** Fetch a finished game. Throws a `Refusal`. */
export function load(table: string, game: number): Promise<FinishedGame> {
  return get<FinishedGame>(gamePath(table, game));
}

/** The last opened game: one page asks for it, another shows it. */
let last: { link: string; game: OpenedGame } | null = null;

/** Send a game in any form to the server; returns its link. Throws a `Refusal`. */
export async function open(given: string): Promise<string> {
  const game = await send<OpenedGame>('POST', 'open', { game: given });
  last = { link: game.replay.link, game };
  return game.replay.link;
}

/** The game of a link. Throws a `Refusal`. */
export async function openLink(link: string): Promise<OpenedGame> {
  if (last?.link === link) return last.game;
  return send<OpenedGame>('POST', 'open', { game: link });
}
