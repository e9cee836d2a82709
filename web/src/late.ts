// What is loaded when it is needed, and the sentences that only such parts of the page say.

import { add, partOf } from './languages';
import type { Catalogue } from './say';

const LATE = partOf(
  import.meta.glob<Catalogue>('../../src/rage/locale/*.json', {
    query: '?late',
    import: 'default',
  }),
);

/** A part of the page that comes late, once all of its sentences are there: `late(import('./Help'))`. */
export async function late<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, add(LATE)]);
  return loaded;
}
