// Puts codes and parameters into sentences, like src/rage/say.py, which lists the placeholders, and
// from the same catalogues (src/rage/locale). Tests compare every sentence of both.
//
//     t(code)                                 a text
//     t(code, { player: 2, n: 3 }, { names }) one with parameters
//     sentence(reason, { edition, names })    what the server refused, or a ruling
//
// languages.ts loads the catalogues and chooses one.

import type en from '../../src/rage/locale/en.json';
import { actionOf, ERASED } from './codes.ts';

/** A code of the catalogues. */
export type Code = keyof typeof en;
/** A language by its catalogue's name: `en`. */
export type Language = string;
export type Catalogue = Readonly<Record<string, string>>;
export type Params = Readonly<Record<string, unknown>>;

/** A reason: a code and the parameters of its sentence. */
export interface Reason {
  readonly code: string;
  readonly params?: Params;
}

/** A reason as sent over the wire: its parameters beside its code (docs/protocol.md). */
export interface WireReason {
  readonly code: string;
  readonly [param: string]: unknown;
}

/** How to tell a sentence: `edition` names the cards, `names` the players by seat (`seat 2` without
 * a name); `aloud` is for screen readers, which say `red 15` and not `R15`. */
export interface Telling {
  readonly edition?: string | null | undefined;
  readonly names?: readonly string[] | undefined;
  /** The reader's seat, which is "you". */
  readonly you?: number | null | undefined;
  readonly aloud?: boolean | undefined;
  /** Write coloured cards as their codes between two marks (`pieces`), to be drawn. */
  readonly marked?: boolean | undefined;
}

/** The current language; see `keepLanguageIn`. */
export interface LanguageState {
  language: Language;
  texts: Catalogue;
}

/** The most characters shown of a parameter, and of a name. */
const MAX_LENGTH = 240;
const MAX_NAME_LENGTH = 60;

let current: LanguageState = { language: 'en', texts: {} };

/** Keep the current language in an object of the caller: in one that Svelte watches, every sentence
 * follows the language. */
export function keepLanguageIn(holder: LanguageState): void {
  Object.assign(holder, current);
  current = holder;
}

/** Use a language whose catalogue is loaded. */
export function use(language: Language, texts: Catalogue): void {
  current.texts = texts;
  current.language = language;
}

/** The current language. */
export function spoken(): Language {
  return current.language;
}

/** The loaded sentences of the current language. */
export function texts(): Catalogue {
  return current.texts;
}

/** The sentence of a code of the catalogues. */
export function t(code: Code, params: Params = {}, telling: Telling = {}): string {
  return filled(code, params, telling);
}

/** Whether a computed code has a sentence. */
export function isCode(code: string): code is Code {
  return Object.hasOwn(current.texts, code);
}

/** A reason as a sentence, with the card names of an edition (else of the reason's own parameter
 * `edition`, or generic ones) and the players' names by seat. */
export function sentence(reason: Reason | WireReason, telling: Telling = {}): string {
  const { code, params } = reasonOf(reason);
  return filled(code, params, telling);
}

/** A sentence as shown and as heard; `marked` has its cards marked for drawing. */
export interface Line {
  readonly text: string;
  readonly heard: string;
  readonly marked?: string;
}

/** The marks around the code of a card to be drawn; no name contains them (`visible`). */
const [MARK, END] = ['\ue000', '\ue001'];
const MARKED = new RegExp(`${MARK}([^${END}]*)${END}`);

/** Splits a marked text into words and card codes, in turn. */
export function pieces(marked: string): string[] {
  return marked.split(MARKED);
}

/** A reason as a line: cards short to see, and as words to hear. */
export function line(reason: Reason | WireReason, telling: Telling = {}): Line {
  const text = sentence(reason, telling);
  const heard = sentence(reason, { ...telling, aloud: true });
  if (text === heard) return { text, heard };
  return { text, heard, marked: sentence(reason, { ...telling, marked: true }) };
}

function reasonOf({ code, ...beside }: Reason | WireReason): { code: string; params: Params } {
  const params = beside['params'] as Params | undefined;
  return { code, params: params ?? beside };
}

const PLACE = /\{(\w+)(?::([^{}]*))?\}/g;

function filled(code: string, params: Params, telling: Telling): string {
  const template = plain(code);
  const { aloud, marked } = telling;
  const cast = params['cast'] as readonly string[] | undefined;
  const names = cast ?? telling.names ?? [];
  const you = cast ? null : telling.you;
  const edition = telling.edition ?? (params['edition'] as string | null | undefined);
  return template.replace(PLACE, (place, name: string, kind: string | undefined, at: number) => {
    if (!(name in params)) return place;
    const words = said(params[name], kind ?? '', { edition, names, you, aloud, marked });
    const first = at === 0 && template.endsWith('.') && isOurs(params[name], kind, names, you);
    return first ? capital(words) : words;
  });
}

/** The text for a placeholder of a kind. */
function said(value: unknown, kind: string, telling: Telling): string {
  const [head = '', ...words] = kind.split('|');
  const [one, form] = [words[0], head.split(':')[1]];
  switch (head.split(':')[0]) {
    case '':
    case 'person':
      if (value === null && head) return one ?? '';
      return inForm(
        typeof value === 'number' ? signed(value) : visible(brief(String(value))),
        form,
      );
    case 'seat':
      return seatName(value as number, telling.names, one, telling.you, form);
    case 'seats':
      return join(
        youFirst(value as number[], telling.you).map((seat) =>
          seatName(seat, telling.names, one, telling.you),
        ),
      );
    case 'you': {
      const all = Array.isArray(value) ? value : [value];
      const other = all.some((each) => each === null || each === telling.you) ? 0 : 1;
      return words[(all.length > 1 ? other + 2 : other) % words.length] ?? '';
    }
    case 'card':
      return naming(telling)(value as string, telling.edition, form);
    case 'cards':
      return named(value as string, telling, form).join(', ');
    case 'choice':
      return either(named(value as string, telling, form));
    case 'colour':
      return colourName(value as string, form);
    case 'colours':
      return join([...(value as string)].map((letter) => colourName(letter, form)));
    case 'text':
      return plain(value as string, form);
    case 'reason':
      return sentence(value as Reason, telling);
    case 'reasons':
      return clauses((value as Reason[]).map((each) => sentence(each, telling)));
    case 'number': {
      const shown = (value as number).toFixed(1);
      const [whole, part] = signed(Number(shown) === 0 ? '0.0' : shown).split('.'); // never −0.0
      return filled('number.decimal', { whole, part }, {});
    }
    case 'plural':
      return words.at(typeof value === 'number' ? pluralAt(value, form) : -1) ?? '';
    default:
      return `{${kind}}`;
  }
}

/** Whether the text for a placeholder begins with a word of the catalogue, which can be
 * capitalised, and not with a name or raw parameter. */
function isOurs(
  value: unknown,
  kind: string | undefined,
  names: readonly string[],
  you: number | null | undefined,
): boolean {
  const [head, word] = kind?.split('|') ?? [];
  const ours = (at: number) => !names[at]?.trim() || (word !== undefined && at === you);
  if (head === 'seat') return ours(value as number);
  if (head === 'seats')
    return youFirst(value as number[], you)
      .slice(0, 1)
      .every(ours);
  if (head === 'person') return value === null;
  return /^(?:colours?|text|cards?|choice|you)\b/.test(head ?? '');
}

/** Seats with the reader's first. */
function youFirst(seats: readonly number[], you: number | null | undefined): number[] {
  return [...seats].sort((a, b) => Number(b === you) - Number(a === you));
}

/** Capitalise the first letter. */
export function capital(words: string): string {
  const [first = ''] = words;
  return first.toUpperCase() + words.slice(first.length);
}

/** A text without placeholders, in a form of its own if it has that form, or the code itself if a
 * newer server sent an unknown one. */
function plain(code: string, form?: string): string {
  return current.texts[`${code}:${form}`] ?? current.texts[code] ?? code;
}

/** The name of the player in a seat, or "seat 2" (counted from 0) without one; `word` for the
 * reader's own. */
export function seatName(
  seat: number,
  names: readonly string[] = [],
  word?: string,
  you?: number | null,
  form?: string,
): string {
  if (word !== undefined && seat === you) return word;
  const name = names[seat]?.trim() ? visible(brief(names[seat], MAX_NAME_LENGTH)) : null;
  return inForm(name ?? filled('seat', { seat }, {}), form);
}

/** A name in a form such as "de Léa", "d'Ada", where the language has that form. */
function inForm(name: string, form?: string): string {
  const words = current.texts[sounding(`seat:${form}`, name)] ?? '{seat}';
  return words.replace('{seat}', () => name);
}

/** A code, or the one before words of some sounds: in Spanish, "y" and "o" change. */
const sounding = (code: string, next: string): string =>
  code + (next.match(`^(?:${current.texts[`${code}.before`] ?? '(?!)'})`) ? '.sound' : '');

/** What an edition prints on an action card: `wild`, `change`, `out`, `bonus` or `mad`. */
export function kindName(kind: string, edition?: string | null, form?: string): string {
  const code = `card.${kind}.${edition}`;
  return plain(code in current.texts ? code : `card.${kind}`, form);
}

/** A card or a played card, from its code: `R15`; `Joker`; for a Wild or a Change, also the colour
 * called or named. */
export function cardName(code: string, edition?: string | null, form?: string): string {
  const kind = actionOf(code);
  if (kind === null) return plain(`letter.${code[0]}`) + code.slice(1);
  const card = kindName(kind, edition, form);
  if (code.length === 1) return card;
  return filled(`played.${kind}`, { card, colour: colourName(code[1]!) }, {});
}

/** A card for screen readers: `red 15`. */
export function cardAloud(code: string, edition?: string | null, form?: string): string {
  if (actionOf(code)) return cardName(code, edition, form);
  return filled('page.card.coloured', { colour: code[0], rank: code.slice(1) }, {});
}

const markedName: typeof cardName = (code, ...how) =>
  actionOf(code) ? cardName(code, ...how) : MARK + code + END;
const naming = ({ aloud, marked }: Telling) => (aloud ? cardAloud : marked ? markedName : cardName);

/** The names of several cards, from codes separated by spaces. */
function named(codes: string, telling: Telling, form?: string): string[] {
  const each = codes.split(/\s+/).filter(Boolean);
  return each.map((code) => naming(telling)(code, telling.edition, form));
}

/** A colour's name, by its letter. */
export function colourName(letter: string, form?: string): string {
  return plain(`colour.${letter}`, form);
}

/** A list as in "A, B and C", or of partners, "A & B". */
export function join(words: readonly string[], how: 'and' | 'team' = 'and'): string {
  if (words.length < 2) return words.join('');
  const last = words.at(-1)!;
  return filled(sounding(`list.${how}`, last), { most: words.slice(0, -1).join(', '), last }, {});
}

/** The names of partners, joined. */
export const team = (names: readonly string[]): string => join(names, 'team');

/** A list as in "A, B or C". The cards are not passed as parameters, because `visible` would escape
 * the marks around them. */
export function either(cards: readonly string[]): string {
  if (cards.length < 2) return cards.join('');
  const ends: Record<string, string> = { most: cards.slice(0, -1).join(', '), last: cards.at(-1)! };
  const words = plain(sounding('list.or', cards.at(-1)!));
  return words.replace(PLACE, (place, name: string) => ends[name] ?? place);
}

/** Clauses joined by ";". */
const clauses = (words: readonly string[]): string =>
  words.map((each, i) => (i < words.length - 1 ? put('list.semicolon', each) : each)).join(' ');

/** Words before what they name or introduce: "Ada:". */
export const withColon = (words: string): string => put('list.colon', words);

const put = (code: Code, words: string) => plain(code).replace('{words}', () => words);

/** Untrusted text, cut in the middle if it is too long to read. */
export function brief(words: string, most = MAX_LENGTH): string {
  if (words.length <= most) return words;
  const letters = [...words];
  if (letters.length <= most) return words;
  const begin = letters.slice(0, Math.floor((most * 2) / 3)).join('');
  return `${begin}…${letters.slice(-Math.ceil(most / 4)).join('')}`;
}

/** Characters that do not print, and the flags of England, Scotland and Wales, which end in such
 * characters. */
const UNSEEN =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|(?<![^\p{C}\p{Z}\p{ASCII}])[\u200c\u200d]|[\u200c\u200d](?![^\p{C}\p{Z}\p{ASCII}])|(?![ \xa0\u202f\u200c\u200d])[\p{C}\p{Z}]/gu;
const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Untrusted text made safe to show: everything that does not print (control codes, direction
 * marks, broken surrogates) is escaped, except joiners between two printable characters outside
 * ASCII, and the flags in `UNSEEN`. A name that replaces an erased one is shown in words. */
export function visible(name: string): string {
  if (ERASED.test(name)) return filled('name.erased', { n: name.slice(1) }, {});
  return name.replace(UNSEEN, (letter) => {
    if (letter.length > 2) return letter; // a flag
    const code = letter.codePointAt(0)!;
    const digits = (n: number) => code.toString(16).padStart(n, '0');
    if (code > 0xffff) return `\\U${digits(8)}`;
    if (code > 0xff) return `\\u${digits(4)}`;
    return ESCAPES[letter] ?? `\\x${digits(2)}`;
  });
}

/** The format of expected points: one decimal. */
export const TENTHS: Intl.NumberFormatOptions = {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
};

/** A number with a true minus sign. */
const signed = (value: number | string): string => String(value).replace('-', '−');

/** A number in the format of the language. */
export function number(value: number, how: Intl.NumberFormatOptions = {}): string {
  return signed(new Intl.NumberFormat(current.language, how).format(value));
}

/** Points won or lost: `+12`, `−5`, `0`. */
export function withSign(value: number, how: Intl.NumberFormatOptions = {}): string {
  return number(value, { ...how, signDisplay: 'exceptZero' });
}

/** The category of a number (CLDR's): `one`, `few` ... */
const categoryOf = (n: number, how?: Intl.PluralRulesOptions): Intl.LDMLPluralRule =>
  new Intl.PluralRules(current.language, how).select(n);

/** The place of a number's category among the forms of a word; of one without a form, the last. In
 * an English sentence that another language lends, it is that of English. */
const pluralAt = (n: number, english?: string) =>
  english ? Number(Math.abs(n) !== 1) : plain('language.plural').split(' ').indexOf(categoryOf(n));

/** An ordinal: `2nd`. */
export function ordinal(n: number): string {
  const code = `page.place.${categoryOf(n, { type: 'ordinal' })}`;
  return t(isCode(code) ? code : 'page.place.other', { n });
}

/** A time (milliseconds since 1970) as date and time of day. */
export function date(moment: number): string {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(current.language, style).format(moment);
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** How long ago a time was, in the largest unit that fits: "5 minutes ago", "1 day ago" (which is
 * not always yesterday). */
export function ago(moment: number, now: number): string {
  const [unit, length] = STEPS.find(([, each]) => now - moment >= each) ?? STEPS.at(-1)!;
  const format = new Intl.RelativeTimeFormat(current.language, {
    numeric: unit === 'second' ? 'auto' : 'always',
  });
  return format.format(-Math.round(Math.max(now - moment, 0) / length), unit);
}
