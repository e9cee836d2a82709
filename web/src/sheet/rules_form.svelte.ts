// The form for rules without a server: what web/src/offline knows, in words of the catalogue.

import {
  askBox,
  changeRules,
  EDITIONS,
  editionsOf,
  nameOf,
  readValue,
  RULE_SETS,
  type Rules,
  rulesFrom,
  SETTINGS,
  VARIANTS,
  variantsOf,
  VALUES,
  withEdition,
  without,
  withVariant,
  formatValue,
} from '../offline/names';
import { pack } from '../offline/cards';
import type { Box, EditionLine, RuleSetLine, SettingLine, VariantLine } from '../protocol';
import { type Code, t } from '../say';
import type { RulesForm } from '../start/form';
import { refusedBy, titleAndAbout } from './words';

type Edition = EditionLine['name'];

function editionLines(): EditionLine[] {
  return Object.values(EDITIONS).map((rules) => {
    const [name, players] = [rules.edition as Edition, [...rules.players] as [number, number]];
    const title = t(`edition.${name}` as Code);
    return { name, title, line: title, cards: pack(rules).length, players };
  });
}

function ruleSetLines(): RuleSetLine[] {
  return Object.entries(RULE_SETS).map(([name, data]) => {
    const rules = rulesFrom(data);
    const words = titleAndAbout(`preset.${name}`);
    return { name, ...words, rules: nameOf(rules), edition: rules.edition as Edition };
  });
}

function variantLines(): VariantLine[] {
  return Object.keys(VARIANTS).map((name) => ({
    name,
    ...titleAndAbout(`variant.${name}`),
    editions: editionsOf(name) as Edition[],
  }));
}

function settingLines(): SettingLine[] {
  return Object.entries(SETTINGS).map(([name, [kind]]) => ({
    name,
    meaning: name,
    values: VALUES[kind] ?? VALUES[name] ?? [],
    allowed: t(`allowed.${kind}` as Code),
    default: '',
  }));
}

/** The rules of a sheet that is about to begin. */
export class OfflineRulesForm implements RulesForm {
  chosen: Rules = $state.raw(EDITIONS['poof']!);
  note = $state('');
  trouble = $state('');
  readonly choice = $derived({
    editions: editionLines(),
    rule_sets: ruleSetLines(),
    variants: variantLines(),
    settings: settingLines(),
  });
  readonly page = $derived({
    settings: Object.fromEntries(
      Object.keys(SETTINGS).map((name) => [name, formatValue(this.chosen[name as keyof Rules])]),
    ),
  });

  constructor(rules?: Rules) {
    if (rules) this.chosen = rules;
  }

  get rules(): string {
    return nameOf(this.chosen);
  }
  get variants(): string[] {
    return variantsOf(this.chosen).variants;
  }
  get ruleSet(): string | null {
    const terms = this.rules.split('+');
    const found = this.choice.rule_sets.find(({ rules }) =>
      rules.split('+').every((term) => terms.includes(term)),
    );
    return found?.name ?? null;
  }

  async chooseEdition(name: string): Promise<boolean> {
    return this.#take(() => withEdition(this.chosen, name));
  }

  async toggle(variant: string, on: boolean): Promise<void> {
    let gone: string[] = [];
    const taken = this.#take(() => {
      if (!on) return without(this.chosen, variant);
      const { rules, off } = withVariant(this.chosen, variant);
      gone = off;
      return rules;
    });
    if (taken) this.note = gone.map((each) => titleAndAbout(`variant.${each}`).title).join(', ');
  }

  async set(setting: string, value: () => string): Promise<string> {
    this.trouble = '';
    return this.#tried(() => changeRules(this.chosen, { [setting]: readValue(setting, value()) }));
  }

  async askBox(answers: readonly number[]): Promise<Box> {
    const { question, left } = askBox(answers);
    return {
      left: left as Edition[],
      question: question && {
        code: question.code,
        text: t(question.code as Code),
        answers: question.answers.map((code) => ({ text: t(code as Code) })),
      },
    };
  }

  /** Take other rules, unless they break a limit; then say so. */
  #take(make: () => Rules): boolean {
    this.trouble = this.#tried(make);
    return !this.trouble;
  }

  /** Take other rules. Returns why they cannot be taken, or nothing. */
  #tried(make: () => Rules): string {
    this.note = '';
    return refusedBy(() => {
      this.chosen = make();
    }, this.chosen.edition);
  }
}
