// Names for bots seated here: stars, as in a game against bots alone.

import type { TableView } from '../game/types';
import { t } from '../say';

/** The bot names in the reader's language that nobody at the table has. */
export function freeBotNames(table: Pick<TableView, 'seats' | 'spectators'>): string[] {
  const taken = new Set(
    [...table.seats, ...table.spectators].map(({ name }) => (name ?? '').toLowerCase()),
  );
  return t('bot.names')
    .split(', ')
    .filter((name) => !taken.has(name.toLowerCase()));
}
