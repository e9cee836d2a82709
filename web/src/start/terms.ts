// A rule set's name as terms: `amigo+sweep+miss:-5`. What the terms mean, and which go together, is
// the server's to say; this only takes names apart and puts them together.

/** The edition, which comes first. */
export function editionOf(rules: string): string {
  return rules.split('+')[0] ?? rules;
}

/** What departs from the edition. */
export function termsOf(rules: string): string[] {
  return rules.split('+').slice(1);
}

/** Whether rules are a rule set, perhaps with more terms. */
export function isBasedOn(rules: string, ruleSet: string): boolean {
  const terms = termsOf(rules);
  return (
    editionOf(rules) === editionOf(ruleSet) &&
    termsOf(ruleSet).every((term) => terms.includes(term))
  );
}

export function without(rules: string, term: string): string {
  return [editionOf(rules), ...termsOf(rules).filter((each) => each !== term)].join('+');
}

/** A rule set with one more term, and, should the server refuse that, what to ask for instead: the
 * same without one of the other terms each, the last one first. */
export function candidates(rules: string, term: string): string[] {
  const others = termsOf(rules)
    .filter((each) => each !== term)
    .reverse();
  return [`${rules}+${term}`, ...others.map((other) => `${without(rules, other)}+${term}`)];
}

/** A rule set by its settings alone, one of them changed. The server gives variants their names. */
export function withSetting(
  edition: string,
  settings: Readonly<Record<string, string>>,
  name: string,
  value: string,
): string {
  const all = Object.entries({ ...settings, [name]: value });
  return [edition, ...all.map(([each, its]) => `${each}:${its}`)].join('+');
}

/** A schedule as people type it (`10, 9 8`) as rule sets write it (`10.9.8`). */
export function schedule(typed: string): string {
  return typed
    .split(/[^\d]+/)
    .filter(Boolean)
    .join('.');
}

/** Counts of the action cards, `wild2.change4`, by kind. */
export function counts(pack: string): [kind: string, count: number][] {
  return Array.from(pack.matchAll(/([a-z]+)(\d+)/g), ([, kind = '', count]) => [
    kind,
    Number(count),
  ]);
}
