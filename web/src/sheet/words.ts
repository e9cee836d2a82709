// Rules, variants and refusals in words.

import { differences, type Rules, variantsOf } from '../offline/names.ts';
import { Refusal } from '../offline/refusal.ts';
import { type Code, sentence, t } from '../say.ts';

/** The parts of a text before and after its colon. */
export function titleAndAbout(code: string): { title: string; about: string } {
  const [title = '', ...more] = t(code as Code).split(': ');
  const about = more.join(': ');
  return { title: title.trimEnd(), about: about.charAt(0).toUpperCase() + about.slice(1) };
}

/** The title of rules: edition and variants, and a note if other settings differ as well. */
export function titleOf(rules: Rules): string {
  const { variants, others } = variantsOf(rules);
  return [
    t(`edition.${rules.edition}` as Code),
    ...variants.map((each) => titleAndAbout(`variant.${each}`).title),
    ...(others.length ? [t('http.own_settings')] : []),
  ].join(' + ');
}

/** How rules differ from their edition, one clause a line. */
export function differenceLines(rules: Rules): string[] {
  const { edition } = rules;
  return differences(rules).map((each) => sentence(each, { edition }));
}

/** Run an action. Returns why it was refused, or an empty text. */
export function refusedBy(what: () => void, edition?: string): string {
  try {
    what();
    return '';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sentence(error.reason, edition === undefined ? {} : { edition });
  }
}
