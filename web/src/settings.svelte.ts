// The settings: one typed store, kept in this browser and shared by all its tabs.
//
//     settings.sounds.card = false     is kept, and every component follows at once

import { EDITIONS } from './protocol';
import { readSettings, type Settings } from './settings';
import { store, readStored } from './stored';
import { preferredLanguage, speak } from './languages';
import { type Catalogue, keepLanguageIn, type Language, type LanguageState, t } from './say';

export * from './settings';

const KEY = 'rage.settings';

export const settings: Settings = $state(readSettings(readStored(KEY)));

/** The current language as Svelte state: every sentence on the page follows it. */
class Spoken implements LanguageState {
  language: Language = $state('en');
  texts: Catalogue = $state.raw({});
}
const spokenNow = new Spoken();
keepLanguageIn(spokenNow);

/** The language from the settings, or the browser's. */
export function wantedLanguage(): Language {
  return settings.language ?? preferredLanguage(navigator.languages);
}

/** The edition used last, or the one that most speakers of the language own. */
export function usualEdition(): string {
  return settings.edition ?? t('edition.usual');
}

/** Remember the edition of a rule set as the last one used. */
export function keepUsed(rules: string): void {
  settings.edition = EDITIONS.find((each) => each === editionOf(rules)) ?? null;
}

const editionOf = (rules: string) => rules.split('+')[0]!;

/** The rules used last, unless another edition has been used since. */
export function usualRules(last: string | null | undefined): string {
  return last && editionOf(last) === (settings.edition ?? editionOf(last)) ? last : usualEdition();
}

/** Apply and store the settings from now on, with their language and theme. Resolves when the first
 * sentence can be said. */
export function follow(): Promise<void> {
  // Changes from another window are not written back, or the two would echo each other endlessly.
  let told = '';
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== KEY) return;
    Object.assign(settings, readSettings(newValue));
    told = JSON.stringify(settings);
  });
  $effect.root(() => {
    $effect(() => {
      const now = JSON.stringify(settings);
      if (now !== told) store(KEY, now);
      told = '';
    });
    $effect(() => setTheme(settings.theme));
    $effect(() => {
      const language = wantedLanguage();
      if (language !== spokenNow.language) void switchTo(language);
    });
  });
  return switchTo(wantedLanguage());
}

async function switchTo(language: Language): Promise<void> {
  await speak(language).catch(async (error: unknown) => {
    if (Object.keys(spokenNow.texts).length === 0) throw error;
  });
  document.documentElement.lang = spokenNow.language;
  document.documentElement.dir = t('language.direction');
}

function setTheme(theme: Settings['theme']): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
