import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import en from '../../../src/rage/locale/en.json';
import { use } from '../say';
import { myself } from './me.svelte';

/** The requests to the server, and the answers still to come. */
const asked: string[] = [];
const coming: ((answer: Response) => void)[] = [];
const answer = (data: unknown, status = 200) =>
  coming.shift()!(new Response(JSON.stringify(data), { status }));
const turn = () => new Promise((resume) => setTimeout(resume));

beforeEach(async () => {
  use('en', en);
  asked.length = coming.length = 0;
  vi.stubGlobal('document', { baseURI: 'http://rage.example/' });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', (_: URL, { method }: RequestInit) => {
    asked.push(method!);
    return new Promise((resume) => coming.push(resume));
  });
  const again = myself.again();
  answer({ person: 'abcd', name: 'Ann', sign: '' });
  await again;
});
afterEach(() => vi.unstubAllGlobals());

it('is known by a name that has been chosen, once the server has it', async () => {
  const renamed = myself.rename('Zoë');
  const known = vi.fn();
  const opening = myself.known().then(known);
  await turn();
  expect(known).not.toHaveBeenCalled();
  answer({ person: 'abcd', name: 'Zoë', sign: '' });
  await Promise.all([renamed, opening]);
  expect(myself.name).toBe('Zoë');
  await myself.known();
  expect(asked).toEqual(['GET', 'PUT']);
});

it('tells its caller that a name was refused, and keeps the old one', async () => {
  const renamed = expect(myself.rename('Z\n')).rejects.toThrow('Not that one.');
  const opening = expect(myself.known()).rejects.toThrow('Not that one.');
  await turn();
  answer({ reason: { code: 'name.blanks' }, text: 'Not that one.' }, 400);
  await Promise.all([renamed, opening]);
  await myself.known();
  expect(myself.name).toBe('Ann');
});
