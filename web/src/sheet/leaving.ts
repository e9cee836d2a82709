// Leaving the score sheet for the table, if it can be reached.

import { address } from './files';

const PATIENCE_MS = 4000;

/** Whether the table's page can be opened: the server answers, or its files are here. */
export async function tableIsThere(): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answers = fetch(address('./'), { cache: 'no-store', signal });
  if (await answers.then(({ ok }) => ok).catch(() => false)) return true;
  if (!('caches' in window)) return false;
  const found = await Promise.all(
    (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
  );
  return found.flat().some(({ url }) => url.startsWith(address('assets/')));
}
