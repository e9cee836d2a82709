import { expect, it } from 'vitest';

const FILES = import.meta.glob<string>(['./**/*.ts', './**/*.svelte', '!./**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** What is imported to be run: neither types alone, nor what is loaded later. */
const IMPORT = /^\s*(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom\s)?['"](\.[^'"]*)['"]/gm;

/** The files that a file imports. */
function imported(file: string): string[] {
  return Array.from(FILES[file]!.matchAll(IMPORT), ([, path]) => {
    const whole = new URL(path!, `file:///${file.slice(2)}`).pathname.slice(1);
    return ['', '.ts', '.svelte'].map((end) => `./${whole}${end}`).find((each) => each in FILES);
  }).filter((each) => each !== undefined);
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
