// The languages of the page, and the current one. Each is a catalogue in src/rage/locale, from
// which the build makes the parts that a page loads (web/catalogues.ts).

import { capital, type Catalogue, type Language, spoken, texts, use } from './say';

/** A part of the catalogue: its loaders by language. */
export type Part = Readonly<Record<Language, () => Promise<Catalogue>>>;

/** The part made of the catalogues found by a glob. */
export function partOf(found: Readonly<Record<string, () => Promise<Catalogue>>>): Part {
  const named = Object.entries(found).map(([path, load]) => [/(\w+)\.json/.exec(path)![1], load]);
  return Object.fromEntries(named) as Part;
}

/** The sentences needed from the first moment on. */
const FIRST = partOf(
  import.meta.glob<Catalogue>('../../src/rage/locale/*.json', {
    query: '?first',
    import: 'default',
  }),
);

export const LANGUAGES: readonly Language[] = Object.keys(FIRST);

/** A language's own name for itself, for people who cannot read the page. */
export function nameOf(language: Language): string {
  return capital(new Intl.DisplayNames(language, { type: 'language' }).of(language)!);
}

/** The parts in use, loaded for each chosen language. */
const parts = new Set([FIRST]);
/** Catalogues that are loaded or loading. */
const loaded = new Map<() => Promise<Catalogue>, Promise<Catalogue>>();
/** The language that was requested last. */
let asked: Language = 'en';

/** Load a language and use it from now on. */
export async function speak(language: Language): Promise<void> {
  asked = language;
  let said: Catalogue[] = [];
  // Another part may be added while this loads.
  while (said.length < parts.size)
    said = await Promise.all([...parts].map((part) => load(part[language]!)));
  if (asked === language) use(language, Object.assign({}, ...said));
}

/** Load one more part, and use it in every language from now on. */
export async function add(part: Part): Promise<void> {
  while (!parts.has(part)) {
    const language = spoken();
    const said = await load(part[language]!);
    if (spoken() !== language || parts.has(part)) continue; // the language has changed
    parts.add(part);
    use(language, { ...texts(), ...said });
  }
}

/** Load a catalogue once; after a failure it is requested again. */
function load(catalogue: () => Promise<Catalogue>): Promise<Catalogue> {
  const known = loaded.get(catalogue);
  if (known) return known;
  const coming = catalogue();
  loaded.set(catalogue, coming);
  coming.catch(() => loaded.delete(catalogue));
  return coming;
}

/** The first of a person's languages (`navigator.languages`) with a catalogue. */
export function findLanguage(languages: readonly string[]): Language | undefined {
  const short = languages.map((each) => each.toLowerCase().split(/[-_]/)[0]!);
  return short.find((each) => LANGUAGES.includes(each));
}

/** The first of a person's languages with a catalogue, or else English. */
export function preferredLanguage(languages: readonly string[]): Language {
  return findLanguage(languages) ?? 'en';
}
