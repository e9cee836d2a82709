import { expect, test } from 'vitest';
import words from '../../../src/rage/house/people/recovery_words.json';
import { listsFor, readTyped } from './typed_words';

const lists = listsFor(words, 'es');

test('the words of any language are known by four letters, without accents and capitals', () => {
  const whole = words.es.slice(0, 7);
  const typed = whole.map((word) => word.normalize('NFD').replaceAll(/\p{M}/gu, '').slice(0, 4));
  expect(readTyped(typed.join('-').toUpperCase(), lists)).toEqual({
    words: whole,
    next: [],
    whole: true,
  });
  expect(readTyped(words.de.slice(0, 7).join(', '), lists).whole).toBe(true);
});

test('what nobody sees separates no words', () => {
  const whole = words.es.slice(0, 7);
  const typed = whole.map((word) => [...word].join('\u00ad\u200d') + '\u200b').join(' ');
  expect(readTyped(typed, lists)).toEqual({ words: whole, next: [], whole: true });
});

test('a word that is begun is completed, in the language of those before it', () => {
  const [first = '', second = ''] = words.de;
  const { next } = readTyped(`${first} ${second.slice(0, 3)}`, lists);
  expect(next).toContain(second);
  expect(readTyped(`${first} ${second} `, lists).next).toEqual([]);
});
