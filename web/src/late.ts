// Loads parts of the page on demand, with the sentences that only such parts say.

import { add, partOf } from './languages';
import type { Catalogue } from './say';

const LATE = partOf(
  import.meta.glob<Catalogue>('../../src/rage/locale/*.json', {
    query: '?late',
    import: 'default',
  }),
);

/** A part of the page once all its sentences are loaded, too: `late(import('./Help.svelte'))`. */
export async function late<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, add(LATE)]);
  return loaded;
}
