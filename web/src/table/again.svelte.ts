// Another game after the last one.

import type { TableStore } from '../game/table.svelte';

/** `dealing` while the next game is coming without a lobby. */
export const again = $state({ dealing: false });

/** Whether no one else could want to change seats or to wait before the next deal. */
export function isAlone({ table }: TableStore): boolean {
  const own = table?.me?.person ?? null;
  const watching = (table?.spectators ?? []).filter(({ screen }) => !screen);
  const people = [...(table?.seats ?? []), ...watching];
  return people.every(({ person }) => person === null || person === own);
}

/** Play again: against bots at once; with people in the lobby, once all are ready. */
export async function playAgain(store: TableStore): Promise<void> {
  again.dealing = isAlone(store);
  const bot = store.table!.options.bot;
  try {
    const gathered = await store.do({ type: 'rematch' });
    if (gathered && again.dealing) await store.do({ type: 'start', bot, names: [] });
  } finally {
    again.dealing = false;
  }
}
