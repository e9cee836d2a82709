// Opening a table: what "Play now" plays, and asking the server.

import { spoken } from '../say';
import { settings, type Settings } from '../settings.svelte';
import { send } from '../shell/api';
import type { NewTable, Opened, Options } from '../protocol';
import { myself } from '../shell/me.svelte';

/** The box that most people have who speak a language. */
const EDITION_OF: Readonly<Record<string, string>> = { de: 'amigo', en: 'poof', es: 'poof' };

export interface Play {
  rules: string;
  edition: string;
  players: number;
  bot: string;
}

/** What was played last, or else four at a table, by the rules of the box most have. */
export function usualPlay(last: Settings['last']): Play {
  const { rules, players, bot } = last ?? {
    rules: EDITION_OF[spoken()] ?? 'poof',
    players: 4,
    bot: 'steady',
  };
  return { rules, players, bot, edition: rules.split('+')[0] ?? rules };
}

/** What a host chooses beside the rules, while it is being chosen. */
export type Chosen = { -readonly [Key in keyof Options]: Options[Key] };

/** What a host chooses beside the rules, where nothing is chosen (`rage.table.Options`). */
export function usualOptions(): Chosen {
  return {
    access: 'link',
    undo: true,
    known: false,
    takeover: 'vote',
    spectators: true,
    grace: 20,
    bot: 'steady',
    clock: null,
  };
}

/** Open a table with bots on all other seats, and start; gives its code. */
export async function openTable(play: Play): Promise<string> {
  return open({
    rules: play.rules,
    players: play.players,
    name: '',
    options: usualOptions(),
    bots: Array.from({ length: play.players - 1 }, () => play.bot),
    start: true,
  });
}

/** Open a table under my name, and remember what was played. */
export async function open(table: NewTable): Promise<string> {
  await myself.known();
  const opened = await send<Opened>('POST', 'tables', { ...table, name: myself.name });
  const bot = table.bots?.find((each) => each !== null) ?? table.options?.bot ?? 'steady';
  settings.last = { rules: table.rules, players: table.players, bot };
  return opened.table;
}
