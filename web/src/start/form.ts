// What a form for rules needs: from the server (draft.svelte.ts), or without one from
// web/src/offline (web/src/sheet/rules_form.svelte.ts).

import type { Box, Choice, RulesPage } from '../protocol';

/** The available choices, and the rules chosen so far. */
export interface RulesForm {
  readonly choice: Pick<Choice, 'editions' | 'rule_sets' | 'variants' | 'settings'> | null;
  /** The value of each setting, as rule sets write it. */
  readonly page: Pick<RulesPage, 'settings'> | null;
  /** The name of the rule set. */
  readonly rules: string;
  /** The preset that these rules are based on, if any. */
  readonly ruleSet: string | null;
  readonly variants: readonly string[];
  /** Variants that were turned off because of a conflict. */
  readonly note: string;
  chooseEdition(name: string): Promise<boolean>;
  toggle(variant: string, on: boolean): Promise<void>;
  /** Set a value, which may depend on what earlier changes set. Returns why it is impossible, or
   * nothing. */
  set(setting: string, value: () => string): Promise<string>;
  /** The next question about a box, after some answers (by their numbers, from 1). */
  askBox(answers: readonly number[]): Promise<Box>;
}
