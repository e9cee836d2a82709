// What somebody likes: one typed store, kept in this browser, alike in all its tabs.
//
//     settings.sounds.card = false     is kept, and heard of by every component at once

import { readSettings, type Settings } from './settings';
import { type Catalogue, type Language, lend, preferred, speak, type Voice } from './say';

export * from './settings';

const KEY = 'rage.settings';

export const settings: Settings = $state(readSettings(kept()));

/** What is spoken, watched by Svelte: every sentence on the page changes with it. */
class Spoken implements Voice {
  language: Language = $state('en');
  texts: Catalogue = $state.raw({});
}
const spokenNow = new Spoken();
lend(spokenNow);

/** The language of the settings, or else the browser's. */
export function wantedLanguage(): Language {
  return settings.language ?? preferred(navigator.languages);
}

/** Follow the settings from now on: keep them, speak their language, wear their theme. Resolves
 * when the first sentence can be said. */
export function follow(): Promise<void> {
  addEventListener('storage', (event) => {
    if (event.key === KEY) Object.assign(settings, readSettings(event.newValue));
  });
  $effect.root(() => {
    $effect(() => keep(JSON.stringify(settings)));
    $effect(() => wear(settings.theme));
    $effect(() => {
      const language = wantedLanguage();
      if (language !== spokenNow.language) void change(language);
    });
  });
  return change(wantedLanguage());
}

async function change(language: Language): Promise<void> {
  await speak(language).catch(async (error: unknown) => {
    if (Object.keys(spokenNow.texts).length === 0) throw error;
  });
  document.documentElement.lang = spokenNow.language;
}

function wear(theme: Settings['theme']): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // a browser that keeps nothing
  }
}

function keep(text: string): void {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // settings last as long as the page then
  }
}
