// What a form for rules asks for and shows: of the server (draft.svelte.ts), or where there is none, of
// the rules in web/src/offline (web/src/sheet/rules_form.svelte.ts).

import type { Box, Choice, RulesPage } from '../protocol';

/** What there is to choose from, and the rules as chosen so far. */
export interface RulesForm {
  readonly choice: Pick<Choice, 'editions' | 'rule_sets' | 'variants' | 'settings'> | null;
  /** The value of each setting, as rule sets write it. */
  readonly page: Pick<RulesPage, 'settings'> | null;
  /** The name of the rule set. */
  readonly rules: string;
  /** The rule set beside the editions that these rules are based on, if there is one. */
  readonly ruleSet: string | null;
  readonly variants: readonly string[];
  /** What was turned off, because it does not go with what was turned on. */
  readonly note: string;
  chooseEdition(name: string): Promise<boolean>;
  toggle(variant: string, on: boolean): Promise<void>;
  /** Give a setting a value; why it is not possible, or nothing where it was done. */
  set(setting: string, value: string): Promise<string>;
  /** The next question about a box after some answers, by their numbers from 1. */
  askBox(answers: readonly number[]): Promise<Box>;
}
