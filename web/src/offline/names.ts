// Rule sets by name (`amigo+sweep+miss:-3`), turning variants on and off, differences from an
// edition, and finding the edition of a box: as src/rage/rules/editions.py and
// src/rage/game/rulebook.py do it.

import { ACTIONS } from '../codes.ts';
import built from './built/choices.json' with { type: 'json' };
import { Refusal, refuse, type Reason } from './refusal.ts';
import {
  checkRules,
  EDITIONS,
  isObject,
  type Rules,
  rulesFrom,
  SETTINGS,
  formatValue,
} from './rules.ts';

export { EDITIONS, type Rules, rulesFrom, SETTINGS, formatValue } from './rules.ts';

/** The written values of settings and kinds of settings that have only a few. */
export const VALUES: Readonly<Record<string, string[]>> = {
  ...built.values,
  flag: ['false', 'true'],
  teams: ['none', ...Object.keys(built.teams)],
};

type Values = Readonly<Record<string, unknown>>;

/** Variants by name, in order: each changes some settings. */
export const VARIANTS: Readonly<Record<string, Values>> = built.variants;
/** Rule sets with a name (presets), as a record writes them. */
export const RULE_SETS: Readonly<Record<string, Values>> = built.rule_sets;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const valueOf = (rules: Rules, setting: string): unknown => rules[setting as keyof Rules];

/** The settings in which rules differ from others, in the order of docs/rules.md. */
export function departures(rules: Rules, from = EDITIONS[rules.edition]!): Record<string, unknown> {
  const differing = Object.keys(SETTINGS).filter(
    (setting) => !same(valueOf(rules, setting), valueOf(from, setting)),
  );
  return Object.fromEntries(differing.map((setting) => [setting, valueOf(rules, setting)]));
}

/** Rules as a record writes them: the edition, and the differences from it. */
export function rulesData(rules: Rules): Record<string, unknown> {
  const { pack, ...others } = departures(rules);
  const counts = pack === undefined ? {} : { pack: unusualCounts(rules) };
  return { edition: rules.edition, ...counts, ...others };
}

function unusualCounts({ pack, edition }: Rules): Record<string, number> {
  const usual = EDITIONS[edition]!.pack;
  return Object.fromEntries(
    (Object.keys(ACTIONS) as (keyof typeof ACTIONS)[])
      .filter((kind) => pack[kind] !== usual[kind])
      .map((kind) => [kind, pack[kind]]),
  );
}

/** The variants of rules, in order, and the other settings that differ from the edition. */
export function variantsOf(rules: Rules): { variants: string[]; others: string[] } {
  let left = Object.entries(departures(rules));
  const variants = Object.keys(VARIANTS).filter((variant) => {
    const changes = Object.entries(VARIANTS[variant]!);
    const fits = changes.every(([name, value]) =>
      left.some(([each, its]) => each === name && same(its, value)),
    );
    if (fits) left = left.filter(([each]) => !changes.some(([name]) => name === each));
    return fits;
  });
  return { variants, others: left.map(([name]) => name) };
}

/** The one canonical name of rules. */
export function nameOf(rules: Rules): string {
  const { variants, others } = variantsOf(rules);
  const terms = others.map((setting) => {
    const value = setting === 'pack' ? unusualCounts(rules) : valueOf(rules, setting);
    return `${setting}:${formatValue(value)}`;
  });
  return [rules.edition, ...variants, ...terms].join('+');
}

/** The rules of a canonical name or a preset. Throws a `Refusal`. */
export function rulesNamed(name: string): Rules {
  const terms = name.split('+').flatMap((term) => {
    const preset = Object.hasOwn(RULE_SETS, term) && RULE_SETS[term]!;
    if (!preset) return [term];
    const { edition, ...settings } = preset;
    return [String(edition), ...Object.entries(settings).map(([k, v]) => `${k}:${formatValue(v)}`)];
  });
  const edition = terms.find((term) => Object.hasOwn(EDITIONS, term));
  const more = terms.filter((term) => term !== edition).map(changesOf);
  if (edition === undefined) {
    refuse('ruleset.no_edition', { name, allowed: Object.keys(EDITIONS).join(', ') });
  }
  return rulesFrom(Object.assign({ edition }, ...more));
}

/** The settings that a term changes. */
function changesOf(term: string): Values {
  if (Object.hasOwn(VARIANTS, term)) return VARIANTS[term]!;
  const [setting = '', value] = term.split(':');
  if (value === undefined) {
    const [editions, variants] = [Object.keys(EDITIONS), Object.keys(VARIANTS)];
    refuse('ruleset.no_term', {
      term,
      editions: editions.join(', '),
      variants: variants.join(', '),
      presets: Object.keys(RULE_SETS).join(', '),
    });
  }
  return { [setting]: readValue(setting, value) };
}

/** The value of a setting from its text; its limits are checked when rules are made. */
export function readValue(setting: string, value: string): unknown {
  if (setting === 'schedule') return value.split('.').map(Number);
  if (setting === 'pack') {
    return Object.fromEntries(
      Array.from(value.matchAll(/([a-z]+)(\d+)/g), ([, kind, n]) => [kind, Number(n)]),
    );
  }
  if (Object.hasOwn(built.values, setting)) return value;
  const words: Values = { true: true, false: false, none: null };
  return Object.hasOwn(words, value) ? words[value] : Number(value);
}

/** Rules with some settings changed. Throws a `Refusal` if a limit is exceeded. */
export function changeRules(rules: Rules, changes: Values): Rules {
  return checkRules({ ...rules, ...changes });
}

/** Rules without a variant: its settings return to the edition's. */
export function without(rules: Rules, variant: string): Rules {
  const base = EDITIONS[rules.edition]!;
  const back = Object.keys(VARIANTS[variant]!).map((name) => [name, valueOf(base, name)]);
  return changeRules(rules, Object.fromEntries(back));
}

/** Rules with a variant, and the conflicting variants that were turned off. */
export function withVariant(rules: Rules, variant: string): { rules: Rules; off: string[] } {
  const before = variantsOf(rules).variants;
  const clashing = before.filter((each) =>
    Object.keys(VARIANTS[each]!).some((name) => Object.hasOwn(VARIANTS[variant]!, name)),
  );
  let found = clashing.reduce(without, rules);
  try {
    found = changeRules(found, VARIANTS[variant]!);
  } catch (error) {
    // such as plus/minus one, which needs open bids
    const other = before.filter((each) => !clashing.includes(each)).reverse();
    const working = other.map((each) => attempt(without(found, each), variant)).find(Boolean);
    if (!working) throw error;
    found = working;
  }
  const now = variantsOf(found).variants;
  return { rules: found, off: before.filter((each) => each !== variant && !now.includes(each)) };
}

function attempt(rules: Rules, variant: string): Rules | null {
  try {
    return changeRules(rules, VARIANTS[variant]!);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Switch to another edition or preset; compatible variants stay. */
export function withEdition(rules: Rules, name: string): Rules {
  const start = rulesFrom(RULE_SETS[name] ?? { edition: name });
  return variantsOf(rules).variants.reduce(
    (kept, variant) => attempt(kept, variant) ?? kept,
    start,
  );
}

/** The editions that do not already include a variant. */
export function editionsOf(variant: string): string[] {
  return Object.values(EDITIONS)
    .filter((rules) =>
      Object.entries(VARIANTS[variant]!).some(
        ([name, value]) => !same(valueOf(rules, name), value),
      ),
    )
    .map(({ edition }) => edition);
}

/** How rules differ from their edition, a clause per setting, as in src/rage/game/rulebook.py. */
export function differences(rules: Rules): Reason[] {
  return Object.keys(departures(rules)).map((setting) => clause(rules, setting));
}

function clause(rules: Rules, setting: string): Reason {
  const value = valueOf(rules, setting);
  const say = (code: string, params: Values = {}): Reason => ({
    code,
    params: { ...ACTIONS, ...params },
  });
  if (isObject(value)) {
    const counts = Object.entries(value).map(([kind, n]) => [
      kind === 'bonus' ? 'bonuses' : `${kind}s`,
      n,
    ]);
    return say('unlike.pack', Object.fromEntries(counts));
  }
  if (Array.isArray(value)) return say('unlike.schedule', { hands: value.join(', ') });
  if (setting === 'miss') {
    const n = Number(value);
    return say(`unlike.miss.${n < 0 ? 'costs' : n > 0 ? 'scores' : 'nothing'}`, { n: Math.abs(n) });
  }
  if (typeof value !== 'number' || setting === 'teams') {
    return say(`unlike.${setting}.${formatValue(value)}`);
  }
  return say(`unlike.${setting}`, { points: `${value < 0 ? '−' : '+'}${Math.abs(value)}` });
}

/** A question about a box, with the answers that still fit an edition. */
export interface BoxQuestion {
  readonly code: string;
  readonly answers: readonly string[];
}

/** The next question after some answers (by their numbers, from 1), and the editions that are still
 * possible; `null` once nothing more can be asked. */
export function askBox(answers: readonly number[]): {
  question: BoxQuestion | null;
  left: string[];
} {
  let left = Object.keys(EDITIONS);
  let rest = [...built.questions];
  const given = [...answers];
  for (;;) {
    const at = left.length < 2 ? -1 : rest.findIndex((each) => tells(each, left));
    if (at < 0) return { question: null, left };
    const question = rest[at]!;
    rest = rest.slice(at + 1);
    const possible = question.answers.filter(({ leaves }) => meets(leaves, left));
    const answer = given.shift();
    if (answer === undefined) {
      return { question: { code: question.code, answers: possible.map(({ code }) => code) }, left };
    }
    const leaves = possible[answer - 1]?.leaves ?? left;
    left = left.filter((each) => leaves.includes(each));
  }
}

const meets = (leaves: readonly string[], left: readonly string[]) =>
  left.some((each) => leaves.includes(each));
const tells = (
  { answers }: { answers: readonly { leaves: readonly string[] }[] },
  left: readonly string[],
) =>
  answers.some(({ leaves }) => meets(leaves, left) && !left.every((each) => leaves.includes(each)));
