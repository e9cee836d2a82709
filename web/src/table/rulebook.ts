// The rules of a table in words, from the server (docs/protocol.md), and the part of them that
// matters now.

import { type Action, actionOf } from '../codes';
import type { TableStore } from '../game/table.svelte';
import type { TableView } from '../game/types';
import type { RulesPage } from '../protocol';
import { apiUrl, get } from '../shell/api';
import { cardsOnTable } from './standing';

const kept = new Map<string, Promise<RulesPage>>();

/** The rules of a table; with `unlike`, also how they differ from that edition. */
export function rulesOf(table: TableView, unlike: string | null = null): Promise<RulesPage> {
  const path = `rules/${encodeURIComponent(table.rules)}`;
  const query = { players: table.seats.length, unlike };
  const key = apiUrl(path, query).href;
  const known = kept.get(key);
  if (known) return known;
  const asked = get<RulesPage>(path, query);
  kept.set(key, asked);
  asked.catch(() => kept.delete(key));
  return asked;
}

/** Whether a chapter or sentence of the rules is among those that a code stands for, written
 * without `rules.` before it; the page itself has none of these sentences. */
export function isOf(code: string, wanted: string): boolean {
  const short = code.slice(code.indexOf('.') + 1);
  return short === wanted || short.startsWith(`${wanted}.`);
}

/** The first sentence of the rules that a code stands for, or an empty text. */
export function lineOf(rules: RulesPage | null, wanted: string): string {
  for (const { codes, lines } of rules?.chapters ?? []) {
    const at = codes.findIndex((code) => isOf(code, wanted));
    if (at >= 0) return lines[at]!;
  }
  return '';
}

/** The part of the rules that matters at a moment: a chapter, and lines in it and in others. */
export interface Now {
  readonly chapter: string;
  readonly lines: readonly string[];
}

/** The part that matters now; null before a game. `asking`: the card that needs a colour. */
export function nowAt(store: TableStore, asking: string | null): Now | null {
  const { game, table } = store;
  if (!game || !table) return null;
  if (store.summary) return { chapter: 'score', lines: [] };
  if (game.over) return { chapter: 'end', lines: [] };
  if (game.bidding) return { chapter: 'bids', lines: [] };
  const { cards } = cardsOnTable(table, store.moves.pending?.move ?? null, store.trickCleared);
  const lines = [cards.length ? 'play.follow' : 'play.turns'];
  const moves = asking ? [asking] : cards.map(({ move }) => move);
  const actions = moves.map(actionOf).filter((action): action is Action => action !== null);
  if (actions.length === 0) return { chapter: 'play', lines };
  return {
    chapter: 'actions',
    lines: [...actions.map((action) => `actions.${action}`), ...lines],
  };
}
