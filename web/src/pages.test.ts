import { expect, it } from 'vitest';
import en from '../../src/rage/locale/en.json';
import { partsOf, sheetPartsOf, taken } from '../catalogues.ts';

const FILES = import.meta.glob<string>(['./**/*.ts', './**/*.svelte', '!./**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** What is imported to be run: neither types alone, nor what is loaded later. */
const IMPORT = /^\s*(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom\s)?['"](\.[^'"]*)['"]/gm;

/** What is loaded when it is needed. */
const LATER = /import\(\s*['"](\.[^'"]*)['"]/g;
/** The functions of say.ts that load a part of the catalogue, and which. */
const LOADS = {
  learnAfter: 'after',
  learnLessons: 'learn',
  learnPeople: 'people',
  learnScreen: 'tv',
  learnRules: 'rules',
  learnLater: 'later',
  learnAdvice: 'advice',
  learnLive: 'live',
  learnRecording: 'recording',
} as const;

/** The files that a text imports, in one of both ways, from the place of a file. */
function found(how: RegExp, text: string, file: string): string[] {
  return Array.from(text.matchAll(how), ([, path]) => {
    const whole = new URL(path!, `file:///${file.slice(2)}`).pathname.slice(1);
    return ['', '.ts', '.svelte'].map((end) => `./${whole}${end}`).find((each) => each in FILES);
  }).filter((each) => each !== undefined);
}

/** The files that a file imports. */
function imported(file: string): string[] {
  return found(IMPORT, FILES[file]!, file);
}

type Part = keyof ReturnType<typeof partsOf>;

/** The files that a file loads later, and the parts of the catalogue that are there by then, if
 * these were there before. */
function loaded(file: string, parts: readonly Part[]): [string, Part[]][] {
  return FILES[file]!.split('\n').flatMap((line) => {
    const here = Object.entries(LOADS).filter(([name]) => line.includes(`${name}()`));
    const there = [...new Set([...parts, ...here.map(([, part]) => part)])].sort();
    return found(LATER, line, file).map((each): [string, Part[]] => [each, there]);
  });
}

/** The way from a file back to itself, if there is one. */
function circle(from: string): string[] | null {
  const ways = imported(from).map((next) => [from, next]);
  const seen = new Set<string>();
  for (let way = ways.pop(); way; way = ways.pop()) {
    const last = way.at(-1)!;
    if (last === from) return way;
    if (!seen.has(last)) ways.push(...imported(last).map((next) => [...way!, next]));
    seen.add(last);
  }
  return null;
}

it('no file imports itself by way of others', () => {
  expect(imported('./App.svelte')).toContain('./shell/place.svelte.ts');
  expect(imported('./game/table.svelte.ts')).toContain('./game/pace.ts');
  expect(imported('./game/table.svelte.ts')).not.toContain('./fair/shuffle.ts');
  expect(Object.keys(FILES).map(circle).filter(Boolean)).toEqual([]);
});

/** The sentences that are said from a file on, in it and in what it imports or loads, before they are
 * there, and all files with what is there by then. */
function unheard(from: string, catalogue: Partial<Record<Part, object>>, codes: readonly string[]) {
  const missing = new Set<string>();
  const seen = new Set<string>();
  const ways: [string, Part[]][] = [[from, ['first']]];
  for (let way = ways.pop(); way; way = ways.pop()) {
    const [file, parts] = way;
    if (seen.has(way.join())) continue;
    seen.add(way.join());
    for (const code of codes.filter(taken([FILES[file]!])))
      if (!parts.some((part) => code in (catalogue[part] ?? {})))
        missing.add(`${way.join()}: ${code}`);
    for (const each of imported(file)) ways.push([each, parts]);
    ways.push(...loaded(file, parts));
  }
  return { missing: [...missing], seen };
}

it('every sentence is loaded before what says it', () => {
  // Where a table reads its rules, they are the server's own: it refuses none.
  const codes = Object.keys(en).filter((code) => !code.startsWith('notation.'));
  const { missing, seen } = unheard('./main.ts', partsOf('.', 'en'), codes);
  expect(seen).toContain('./together/Panel.svelte,first,people');
  expect(missing).toEqual([]);
});

it('the score sheet has every sentence that it says', () => {
  const { missing, seen } = unheard('./sheet/main.ts', sheetPartsOf('.', 'en'), Object.keys(en));
  expect(seen).toContain('./judge/Judge.svelte,first');
  expect(seen).toContain('./offline/trick.ts,first');
  expect(seen).toContain('./sheet/live/Watching.svelte,first,live');
  expect(seen).toContain('./sheet/recording/Recorder.svelte,first,recording');
  expect([...seen].filter((each) => each.startsWith('./table/Table.svelte'))).toEqual([]);
  expect(missing).toEqual([]);
});
