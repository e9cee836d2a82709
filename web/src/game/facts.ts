// Handlers of facts by kind, each typed with the fact of its own kind.

import type { Fact as SeenFact } from '../protocol.ts';
import type { Fact, TableView } from './types.ts';

/** The kinds of facts. */
export type Kind = SeenFact['type'];

/** A fact of one or several kinds. */
export type FactOf<K extends Kind> = Extract<SeenFact, { type: K }>;

/** A handler of one or several kinds of facts: it gets a table, the fact, and any further
 * arguments. */
export type Handler<K extends Kind, R, More extends unknown[] = []> = (
  table: TableView,
  fact: FactOf<K>,
  ...more: More
) => R;

/** Handlers by kind of fact, for some of the kinds. */
export type Handlers<R, More extends unknown[] = []> = {
  readonly [K in Kind]?: Handler<K, R, More> | null;
};

/** The result of the handler for a fact's kind; null without one. */
export function handle<R, More extends unknown[]>(
  handlers: Handlers<R, More>,
  table: TableView,
  fact: Fact,
  ...more: More
): R | null {
  if (fact.type === 'hidden') return null;
  // The compiler cannot know that the handler and the fact are of one kind.
  const handler = handlers[fact.type] as Handler<Kind, R, More> | null | undefined;
  return handler ? handler(table, fact, ...more) : null;
}
