// Facts by their kind: each handler is given the fact of its own kind, with the server's type.

import type { Fact as SeenFact } from '../protocol.ts';
import type { Fact, TableView } from './types.ts';

/** The kinds of facts. */
export type Kind = SeenFact['type'];

/** A fact of one kind, or of one of several. */
export type FactOf<K extends Kind> = Extract<SeenFact, { type: K }>;

/** A handler of one kind of fact, or of several: it is given a table, the fact, and whatever else
 * the handlers of its kind are given. */
export type Handler<K extends Kind, R, More extends unknown[] = []> = (
  table: TableView,
  fact: FactOf<K>,
  ...more: More
) => R;

/** Handlers by the kind of fact, for some of the kinds. */
export type Handlers<R, More extends unknown[] = []> = {
  readonly [K in Kind]?: Handler<K, R, More>;
};

/** What the handler of a fact's kind returns; null where there is none. */
export function handle<R, More extends unknown[]>(
  handlers: Handlers<R, More>,
  table: TableView,
  fact: Fact,
  ...more: More
): R | null {
  if (fact.type === 'hidden') return null;
  // The compiler cannot know that the handler and the fact are of one kind.
  const handler = handlers[fact.type] as Handler<Kind, R, More> | undefined;
  return handler ? handler(table, fact, ...more) : null;
}
