// Opening tables at the server, and what "Play now" plays.

import { keepUsed, settings, type Settings, usualRules } from '../settings.svelte';
import { get, send } from '../shell/api';
import { DEFAULT_OPTIONS, type NewTable, type Opened } from '../protocol';
import type { Options, RulesPage } from '../protocol';
import { myself } from '../shell/me.svelte';

export interface Play {
  rules: string;
  edition: string;
  players: number;
}

/** The last game with the edition used last, or a game for four by its rules. */
export function usualPlay(last: Settings['last']): Play {
  const rules = usualRules(last?.rules);
  const players = last?.rules === rules ? last.players : 4;
  return { rules, players, edition: rules.split('+')[0] ?? rules };
}

/** A rule set in words. */
export function pageOf(rules: string): Promise<RulesPage> {
  return get<RulesPage>(`rules/${encodeURIComponent(rules)}`);
}

/** The options of a table, editable. */
export type Chosen = { -readonly [Key in keyof Options]: Options[Key] };

/** The default pause between rounds, in seconds. */
export const PAUSE = 120;

/** The default options of a table, except for the pause between rounds. */
export function usualOptions(): Chosen {
  return { ...DEFAULT_OPTIONS, between: __ALONE__ ? null : PAUSE };
}

/** Open a table with bots of the chosen strength in all other seats and start. Returns its code. */
export async function openTable(play: Play): Promise<string> {
  return open({
    rules: play.rules,
    players: play.players,
    name: '',
    options: { ...usualOptions(), between: null },
    bots: Array.from({ length: play.players - 1 }, () => settings.strength),
    start: true,
  });
}

/** Open a table under my name, and remember what was played. */
export async function open(table: NewTable): Promise<string> {
  await myself.known();
  const opened = await send<Opened>('POST', 'tables', { ...table, name: myself.name });
  settings.last = { rules: table.rules, players: table.players };
  keepUsed(table.rules);
  return opened.table;
}
