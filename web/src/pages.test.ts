import { expect, it } from 'vitest';
import en from '../../src/rage/locale/en.json';
import { type PageName, type Part, partOf } from '../catalogues.ts';

const FILES = import.meta.glob<string>(['./**/*.ts', './**/*.svelte', '!./**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** Imports that run code, not only types. */
const IMPORT = /^\s*(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom\s)?['"](\.[^'"]*)['"]/gm;
/** Imports on demand. */
const LOADED = /import\(\s*['"](\.[^'"]*)['"]/g;
/** The keys that a file names: whole, or by their beginning (`page.place.${n}`). */
const NAMED = /['"`]([\w-]+(?:\.[\w-]+)*)(['"`]|\.\$\{)/g;

/** The files that a text imports, relative to a file. */
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

/** The import path from a file back to itself, if there is one. */
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

/** Every file that a page can reach, with the parts of its catalogue that are loaded by then. */
function reached(entry: string): (readonly [string, readonly Part[]])[] {
  const seen = new Map<string, readonly [string, readonly Part[]]>();
  const ways: (readonly [string, readonly Part[]])[] = [[entry, ['first']]];
  for (let way = ways.pop(); way; way = ways.pop()) {
    if (seen.has(way.join())) continue;
    seen.set(way.join(), way);
    const [file, parts] = way;
    ways.push(...imported(file).map((each) => [each, parts] as const));
    for (const line of FILES[file]!.split('\n')) {
      const there: readonly Part[] = line.includes(' after(')
        ? ['first', 'late', 'after']
        : line.includes('late(')
          ? ['first', 'late']
          : parts;
      ways.push(...found(LOADED, line, file).map((each) => [each, there] as const));
    }
  }
  return [...seen.values()];
}

/** At a table it only reads the server's own rules, and refuses none. */
const READS_RULES = './offline/rules.ts,first';

/** The keys that a file names. */
function named(file: string): string[] {
  const names = Array.from(FILES[file]!.matchAll(NAMED), ([, key, end]) => ({ key: key!, end }));
  const begun = names.filter(({ end }) => end === '.${').map(({ key }) => `${key}.`);
  const whole = new Set(names.map(({ key }) => key));
  return Object.keys(en).filter(
    (key) => whole.has(key) || begun.some((beginning) => key.startsWith(beginning)),
  );
}

it.each<[PageName, string, string, number]>([
  ['table', './main.ts', './together/Panel.svelte,first,late', 1000],
  ['alone', './main.ts', './together/Panel.svelte,first,late', 1000],
  ['sheet', './sheet/main.ts', './sheet/live/Watching.svelte,first,late', 300],
])('the page of the %s has each sentence before what says it', (page, entry, reaches, least) => {
  const files = reached(entry);
  expect(files.map(String)).toContain(reaches);
  const saying = files.filter((each) => page === 'sheet' || String(each) !== READS_RULES);
  const said = saying.flatMap(([file, parts]) => named(file).map((key) => ({ file, key, parts })));
  expect(new Set(said.map(({ key }) => key)).size).toBeGreaterThan(least);
  const missing = said.filter(
    ({ key, parts }) =>
      !parts.includes(partOf(key, page)) && (page === 'alone' || !key.startsWith('page.alone.')),
  );
  expect(missing.map(({ file, key }) => `${file}: ${key}`)).toEqual([]);
});
