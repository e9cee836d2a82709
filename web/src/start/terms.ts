// The name of a rule set as terms: `amigo+sweep+miss:-5`. Only the server knows their meaning and
// which go together; this takes names apart and puts them together.

/** The edition, which comes first. */
export function editionOf(rules: string): string {
  return rules.split('+')[0] ?? rules;
}

/** The differences from the edition. */
export function termsOf(rules: string): string[] {
  return rules.split('+').slice(1);
}

/** Whether rules are based on a rule set, perhaps with more terms. */
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

/** A rule set with one more term, then alternatives if the server refuses that: the same without
 * one of the other terms, last one first. */
export function candidates(rules: string, term: string): string[] {
  const others = termsOf(rules)
    .filter((each) => each !== term)
    .reverse();
  return [`${rules}+${term}`, ...others.map((other) => `${without(rules, other)}+${term}`)];
}

/** A rule set as settings alone, one changed; the server turns them back into variants. */
export function withSetting(
  edition: string,
  settings: Readonly<Record<string, string>>,
  name: string,
  value: string,
): string {
  const all = Object.entries({ ...settings, [name]: value });
  return [edition, ...all.map(([each, its]) => `${each}:${its}`)].join('+');
}

/** A typed schedule (`10, 9 8`) as rule sets write it (`10.9.8`). */
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
