import { beforeEach, expect, it, vi } from 'vitest';
import de from '../../src/rage/locale/de.json';
import en from '../../src/rage/locale/en.json';
import type * as Languages from './languages.ts';
import type { LanguageState } from './say.ts';

// Each further part of each language has one sentence, named after it, and loads when let through.
interface Gate {
  open: () => void;
  fail: (why: Error) => void;
}
const waiting = new Map<string, Gate>();
async function catalogue(name: string): Promise<Record<string, string>> {
  await new Promise<void>((open, fail) => waiting.set(name, { open, fail }));
  return { [name.split('/')[1]!]: name };
}
const part = (name: string) => ({
  en: () => catalogue(`en/${name}`),
  de: () => catalogue(`de/${name}`),
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const coming = (name: string) =>
  vi.waitFor(() => {
    if (!waiting.has(name)) throw new Error(name);
    return waiting.get(name)!;
  }, 10_000);
const come = async (name: string) => (await coming(name)).open();

let languages: typeof Languages;
let heard: LanguageState;
beforeEach(async () => {
  vi.resetModules();
  waiting.clear();
  languages = await import('./languages.ts');
  const say = await import('./say.ts');
  heard = { language: 'en', texts: {} };
  say.keepLanguageIn(heard);
  await languages.speak('en');
});

it('a part is added once its own sentences are there, whatever becomes of others', async () => {
  const people = languages.add(part('people'));
  const later = languages.add(part('later'));
  (await coming('en/people')).fail(new Error('no network'));
  await expect(people).rejects.toThrow();
  await come('en/later');
  await later;
  expect(heard.texts).toEqual({ ...en, later: 'en/later' });
});

it('a part that is added while another language comes is said in that language', async () => {
  const later = part('later');
  await Promise.all([languages.add(later), come('en/later')]);
  const speaking = languages.speak('de');
  await coming('de/later');
  const adding = languages.add(part('people'));
  await come('en/people');
  await adding;
  expect(heard.texts).toEqual({ ...en, later: 'en/later', people: 'en/people' });
  await come('de/later');
  await settled();
  expect(heard.language).toBe('en');
  await come('de/people');
  await speaking;
  expect(heard.language).toBe('de');
  expect(heard.texts).toEqual({ ...de, later: 'de/later', people: 'de/people' });
});

it('nothing is redrawn for a part that is there already', async () => {
  const later = part('later');
  await Promise.all([languages.add(later), come('en/later')]);
  const { texts } = heard;
  await languages.add(later);
  expect(heard.texts).toBe(texts);
});

it.each([
  [['de-CH', 'pl'], 'de'],
  [['pl-PL', 'es_MX', 'de'], 'es'],
  [['EN'], 'en'],
  [['pl'], 'en'],
  [[], 'en'],
])('of the languages %j, %s is the first that is spoken', (wanted, chosen) => {
  expect(languages.preferredLanguage(wanted)).toBe(chosen);
});
