// A Vite plugin: `virtual:catalogue/en` is src/rage/locale/en.json with only those sentences that
// the page can say. They are found, not listed: a code is taken in where it stands in web/src, or in
// a module of Python from which the server sends codes.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

type Catalogue = Record<string, string>;

/** What never sends a code to the page: terminals, and what the server sends as text. */
const SPEAK_FOR_THEMSELVES =
  /^(__main__|encode|fair|features|rulebook|story)\.py$|^(analysis|arena|bots|cli|envs|notation|scoresheet|tui)\//;
/** Over HTTP the server answers in words; over a socket, in codes. */
const IN_WORDS = /^server\/(?!(hub|socket)\.py$)/;

/** The text of every file below a folder that `takes` (a path from the folder on) takes. */
function texts(folder: string, takes: (path: string) => boolean): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(takes)
    .map((path) => readFileSync(join(folder, path), 'utf8'));
}

/** Which codes stand in the sources: whole (`'page.start.title'`), as the beginning of a composed
 * one (`` `phase.${phase}` ``, `'phase.' + phase`), or as another one with an end (`` `${code}.about` ``). */
export function taken(sources: readonly string[]): (code: string) => boolean {
  const all = sources.join('\n');
  const find = (what: RegExp) => Array.from(all.matchAll(what), (match) => match[1]!);
  const whole = new Set(['seat', ...find(/["'`]([\w.?-]+)["'`]/g)]);
  const begun = [
    ...find(/`([\w.-]*\.[\w.-]*)\$\{/g),
    ...find(/\bf["']([\w.-]*\.[\w.-]*)\{/g),
    ...find(/["'`]([\w.-]+\.)["'`] \+/g),
  ];
  const ended = new Set(find(/\}(\.[\w.-]+)`/g));
  const stands = (code: string) =>
    whole.has(code) || begun.some((beginning) => code.startsWith(beginning));
  return (code) => {
    if (stands(code)) return true;
    return [...ended].some((end) => code.endsWith(end) && stands(code.slice(0, -end.length)));
  };
}

/** The sentences of a language that the page in `root` (the folder web) can say. */
export function catalogueOf(root: string, language: string): Catalogue {
  const package_ = join(root, '..', 'src', 'rage');
  const file = join(package_, 'locale', `${language}.json`);
  const whole: Catalogue = JSON.parse(readFileSync(file, 'utf8'));
  const page = texts(
    join(root, 'src'),
    (path) => /\.(ts|svelte)$/.test(path) && !/\.(test|d)\.ts$/.test(path),
  );
  const python = texts(
    package_,
    (path) => path.endsWith('.py') && !SPEAK_FOR_THEMSELVES.test(path) && !IN_WORDS.test(path),
  );
  const wanted = taken([...page, ...python]);
  return Object.fromEntries(Object.entries(whole).filter(([code]) => wanted(code)));
}

const NAME = 'virtual:catalogue/';

export function catalogues(): Plugin {
  let root = '';
  let building = false;
  return {
    name: 'rage-catalogues',
    configResolved(config) {
      root = config.root;
      building = config.command === 'build';
    },
    resolveId(id) {
      return id.startsWith(NAME) ? `\0${id}` : null;
    },
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      const language = id.slice(NAME.length + 1);
      const file = join(root, '..', 'src', 'rage', 'locale', `${language}.json`);
      this.addWatchFile(file);
      // While somebody works on the page, every sentence is there, so that new code finds its own.
      const text = building
        ? JSON.stringify(catalogueOf(root, language))
        : readFileSync(file, 'utf8');
      return `export default JSON.parse(${JSON.stringify(text)});`;
    },
  };
}
