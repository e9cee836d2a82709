// A Vite plugin: `virtual:catalogue/en` is src/rage/locale/en.json with only those sentences that
// the page can say. They are found, not listed: a code is included where it stands in web/src, or in
// a module of Python from which the server sends codes. Those that nothing but a part of the page
// says which is loaded when it is needed, such as the settings, are in `virtual:catalogue/en/later`
// and its like (`PARTS`).

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

type Catalogue = Record<string, string>;
type Part = 'first' | keyof typeof PARTS;
type SheetPart = Extract<Part, 'first' | 'live' | 'recording'>;

/** What never sends a code to the page: terminals, what the server sends as text, and the deals,
 * which are the server's own. */
const SPEAK_FOR_THEMSELVES =
  /^(__main__|account|choices|deal|earlier|encode|fair|features|judge|position|rulebook|story)\.py$|^(analysis|arena|bots(?!\/advice\.py$)|cli|notation|score|tui)\//;
/** What the score sheet and the trick judge consist of, a page of their own that has its sentences
 * from the first moment on; all but those of a sheet that others watch,
 * and of a game that is recorded card by card. */
const SHEET =
  /^((sheet|judge|cards)\/|offline\/(?!proof|deal)|table\/(ScoreChart|ScoreSheet|sheet)\b|start\/(Editions|OwnSettings|SettingFields|Variants|WhichBox|Fan|Toggle|Localhost|NextAddress|form|terms|sharing|reach)\b|shell\/(Confirm|Dialog|Failed|Languages|Line|Live|Loaded|api|failing|install)\b|after\/(Numbers|stats)\b|(say|codes|settings)\b)/;
const SHEET_LIVE = /^(sheet\/live\/|start\/(Localhost|NextAddress|reach)\b)/;

/** What is loaded with sentences of its own; what two of them share says the same in both. */
const PARTS = {
  /** The trick judge, and the score sheet, which the table never shows. */
  judge: /^judge\//,
  sheet: /^(sheet(?!\/(live|recording))\/|offline\/(names|fields|sheet\w*)\.ts$|offline\/built\/)/,
  /** The same of a sheet that others watch. */
  live: /^sheet\/live\//,
  /** The same of a game that is recorded card by card. */
  recording: /^(sheet\/recording\/|offline\/record)/,
  /** What is there only after a game: the last of the page, and what proves the deals. */
  after: /^(after\/(?!(?:Analysis|Course|costs)\b)|offline\/(proof|fields|rules)\.ts$)/,
  /** The guided round, in web/src and in Python. */
  learn: /^learn\/(?!coaching|Coach|Hints|Offer)/,
  /** The panels about the people at a table. */
  people: /^together\/(Chat|Claim|More|Options|Panel|People|SeatLine|Spectator|Tools)\b/,
  /** A screen that everybody in the room sees. */
  tv: /^(tv\/|start\/Localhost|table\/(LobbySeats|Shuffl\w+))/,
  /** What is chosen and looked up about a table: a new one, its lobby, its rules. */
  rules:
    /^(start\/(New|Bar|Editions|Players|Summary|Variants|WhichBox|OwnSettings|SettingFields|Seats|TableOptions|Invite|Localhost|NextAddress)\b|table\/(Lobby\w*|Shuffl\w+|WaitHost|Rules|Differs))/,
  /** What moves are worth: advice, and the analysis of a game. */
  advice:
    /^(table\/Advice\b|(?:bots\/advice|table\/advising)\.py$|after\/(Analysis|Course|costs)\b)/,
  /** Other pages and dialogs that nobody needs on the way to the first card. */
  later:
    /^(start\/(Preferences|HandOver|Device|EndSessions|Hello|MyTables|GameRow|Join|Scan|scan|Localhost)\b|table\/(Help|Menu|Explained|explaining|OnTable)|learn\/Offer)/,
} as const;
/** Over HTTP the server answers in words; over a socket, in codes. */
const IN_WORDS = /^(place|server)\/(?!(hub|services|open_tables|conversation)\.py$)/;

/** The text of every file below a folder that `takes` (a path from the folder on) takes. */
function texts(folder: string, takes: (path: string) => boolean): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(takes)
    .map((path) => readFileSync(join(folder, path), 'utf8'));
}

/** Which codes stand in the sources: whole (`'page.start.title'`), as the beginning of a composed
 * one (`` `phase.${phase}` ``, `'phase.' + phase`), or as another one with an end (`` `${code}.about` ``).
 * In Python, where a file composes a code of another one (`f"{code}.{variant}"`), those that are a word
 * longer than a whole one, too. */
export function taken(sources: readonly string[]): (code: string) => boolean {
  const all = sources.join('\n');
  const find = (what: RegExp, text = all) => Array.from(text.matchAll(what), (match) => match[1]!);
  const WHOLE = /["'`]([\w.?-]+)["'`]/g;
  const whole = new Set(['seat', ...find(WHOLE)]);
  const composing = sources.filter((source) => /\bf["']\{\w+\}\./.test(source));
  const lengthened = new Set(find(WHOLE, composing.join('\n')));
  const begun = [
    ...find(/`([\w.-]*\.[\w.-]*)\$\{/g),
    ...find(/\bf["']([\w.-]*\.[\w.-]*)\{/g),
    ...find(/["'`]([\w.-]+\.)["'`] \+/g),
  ];
  const ended = new Set(find(/\}(\.[\w.-]+)`/g));
  const stands = (code: string) =>
    whole.has(code) ||
    lengthened.has(code.replace(/(\..+)\.[^.]+$/, '$1')) ||
    begun.some((beginning) => code.startsWith(beginning));
  return (code) => {
    if (stands(code)) return true;
    return [...ended].some((end) => code.endsWith(end) && stands(code.slice(0, -end.length)));
  };
}

/** Whether a file of web/src is part of a page, and may hold codes. */
const isPage = (path: string) =>
  /\.(ts|svelte)$|^offline\/built\/.*json$/.test(path) && !/\.(test|d)\.ts$/.test(path);

/** Picks sentences of a language by their codes. */
function sayable(root: string, language: string) {
  const file = join(root, '..', 'src', 'rage', 'locale', `${language}.json`);
  const whole: Catalogue = JSON.parse(readFileSync(file, 'utf8'));
  return (take: (code: string) => boolean): Catalogue =>
    Object.fromEntries(Object.entries(whole).filter(([code]) => take(code)));
}

/** The sentences of a language that the page in `root` (the folder web) can say: from the first
 * moment on, and with each part that is loaded later. */
export function partsOf(root: string, language: string): Record<Part, Catalogue> {
  const package_ = join(root, '..', 'src', 'rage');
  const python = (path: string) =>
    path.endsWith('.py') && !SPEAK_FOR_THEMSELVES.test(path) && !IN_WORDS.test(path);
  const said = (of: (path: string) => boolean) =>
    taken([
      ...texts(join(root, 'src'), (path) => isPage(path) && of(path)),
      ...texts(package_, (path) => python(path) && of(path)),
    ]);
  const those = sayable(root, language);
  const first = said((path) => !Object.values(PARTS).some((part) => part.test(path)));
  const later = Object.entries(PARTS).map(([name, part]) => {
    const mine = said((path) => part.test(path));
    return [name, those((code) => mine(code) && !first(code))];
  });
  return { first: those(first), ...Object.fromEntries(later) };
}

/** The text of every file that the score sheet and the trick judge consist of, or of some of them. */
export function sheetSources(root: string, of = (_path: string) => true): string[] {
  return texts(join(root, 'src'), (path) => isPage(path) && SHEET.test(path) && of(path));
}

/** The sentences of a language that the score sheet and the trick judge can say: from the first
 * moment on, where others watch, and where a game is recorded card by card. */
export function sheetPartsOf(root: string, language: string): Record<SheetPart, Catalogue> {
  const those = sayable(root, language);
  const later = { live: SHEET_LIVE, recording: PARTS.recording };
  const all = Object.values(later);
  const first = taken(sheetSources(root, (path) => !all.some((part) => part.test(path))));
  const of = (part: RegExp) => {
    const said = taken(sheetSources(root, (path) => part.test(path)));
    return those((code) => said(code) && !first(code));
  };
  return { first: those(first), live: of(later.live), recording: of(later.recording) };
}

/** All of them. */
export function catalogueOf(root: string, language: string): Catalogue {
  return Object.assign({}, ...Object.values(partsOf(root, language)));
}

const NAME = 'virtual:catalogue/';

/** `of`: whose sentences `virtual:catalogue/en` has where no part is named. */
export function catalogues(of: 'table' | 'sheet' = 'table'): Plugin {
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
      const [language, part = 'first'] = id.slice(NAME.length + 1).split('/') as [string, string?];
      const file = join(root, '..', 'src', 'rage', 'locale', `${language}.json`);
      this.addWatchFile(file);
      // While somebody works on the page, every sentence is there, so that new code finds its own.
      const parts = of === 'sheet' ? sheetPartsOf : partsOf;
      const chosen = () => (parts(root, language) as Record<string, Catalogue>)[part] ?? {};
      const text = building ? JSON.stringify(chosen()) : readFileSync(file, 'utf8');
      return `export default JSON.parse(${JSON.stringify(text)});`;
    },
  };
}
