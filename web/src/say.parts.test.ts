import { beforeEach, expect, it, vi } from 'vitest';
import type * as Say from './say.ts';

// Each part of each language has one sentence, named after it, and comes when it is let come.
const PARTS = ['en', 'de', 'en/people', 'de/people', 'en/later'];
interface Gate {
  open: () => void;
  fail: (why: Error) => void;
}
const waiting = new Map<string, Gate>();
async function part(name: string): Promise<{ default: object }> {
  await new Promise<void>((open, fail) => waiting.set(name, { open, fail }));
  return { default: { [name.split('/')[1] ?? 'first']: name } };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const coming = (name: string) =>
  vi.waitFor(() => {
    if (!waiting.has(name)) throw new Error(name);
    return waiting.get(name)!;
  });
const come = async (name: string) => (await coming(name)).open();

let say: typeof Say;
let heard: { language: string; texts: Readonly<Record<string, string>> };
beforeEach(async () => {
  vi.resetModules();
  waiting.clear();
  for (const name of PARTS) vi.doMock(`virtual:catalogue/${name}`, () => part(name));
  say = await import('./say.ts');
  heard = { language: 'en', texts: {} };
  say.keepLanguageIn(heard as Parameters<typeof say.keepLanguageIn>[0]);
  const speaking = say.speak('en');
  await come('en');
  await speaking;
});

it('a part is learned once its own sentences are there, whatever becomes of others', async () => {
  const people = say.learnPeople();
  const later = say.learnLater();
  (await coming('en/people')).fail(new Error('no network'));
  await expect(people).rejects.toThrow();
  await come('en/later');
  await later;
  expect(heard.texts).toEqual({ first: 'en', later: 'en/later' });
});

it('what is learned while another language comes is said in that language', async () => {
  const speaking = say.speak('de');
  const learning = say.learnPeople();
  await come('en/people');
  await learning;
  expect(heard.texts).toEqual({ first: 'en', people: 'en/people' });
  await come('de');
  await settled();
  expect(heard.language).toBe('en');
  await come('de/people');
  await speaking;
  expect(heard).toEqual({ language: 'de', texts: { first: 'de', people: 'de/people' } });
});

it('nothing is redrawn for a part that is there already', async () => {
  await Promise.all([say.learnLater(), come('en/later')]);
  const { texts } = heard;
  await say.learnLater();
  expect(heard.texts).toBe(texts);
});
