// The words of a recovery code as they are typed, read as in src/rage/house/people/recovery.py: by
// their first letters, ignoring accents and case.

import type { RecoveryWords } from '../protocol';

const LETTERS = 4;
/** The words of a code. */
export const WORDS = 7;
const MOST = 4;

const key = (word: string) =>
  word
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}]/gu, '');
/** Soft hyphens, joiners and other invisible characters do not separate words. */
const plain = (typed: string) => typed.replaceAll(/\p{Cf}/gu, '');
const split = (typed: string) =>
  plain(typed)
    .split(/[^\p{L}\p{M}]+/u)
    .filter(Boolean);

/** Typed text: `words` as listed (as typed, if unlisted); `next`, possible completions of the last
 * one; `whole`: whether all words are there. */
export interface Typed {
  readonly words: readonly string[];
  readonly next: readonly string[];
  readonly whole: boolean;
}

/** Read typed text, with the lists of all languages, the reader's first. */
export function readTyped(typed: string, lists: readonly (readonly string[])[]): Typed {
  const parts = split(typed);
  const read = lists.map((list) => {
    const known = new Map(list.map((word) => [key(word).slice(0, LETTERS), word]));
    return parts.map((part) => known.get(key(part).slice(0, LETTERS)));
  });
  const count = (words: readonly (string | undefined)[]) =>
    words.filter((word) => word !== undefined).length;
  const best = read.reduce((a, b) => (count(b) > count(a) ? b : a), read[0] ?? []);
  const last = /[\p{L}\p{M}]$/u.test(plain(typed)) ? key(parts.at(-1) ?? '') : '';
  const begun = lists.find((_, at) => count(read[at]!) >= parts.length - 1) ?? [];
  return {
    words: parts.map((part, at) => best[at] ?? part),
    next:
      last.length > 1 && best.at(-1) === undefined
        ? begun.filter((word) => key(word).startsWith(last)).slice(0, MOST)
        : [],
    whole: parts.length === WORDS && count(best) === WORDS,
  };
}

/** The lists, the one of a language first. */
export const listsFor = (lists: RecoveryWords['lists'], language: string) =>
  Object.entries(lists)
    .sort(([a], [b]) => Number(b === language) - Number(a === language))
    .map(([, words]) => words);
