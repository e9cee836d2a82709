import { expect, it } from 'vitest';
import { readCode, showCode } from './code';

it.each([
  'abcdefgh',
  'ABCDEFGH',
  'abcd-efgh',
  ' abcd efgh ',
  'AbCd–EfGh',
  'a.b.c.d e.f.g.h',
  'ab\u00adcd\u200b-ef\u200dgh\ufeff',
  'ＡＢＣＤＥＦＧＨ',
  'https://rage.example/cards/t/abcdefgh',
  'http://192.168.1.20:7243/t/abcd-efgh?join#x',
])('reads %s', (typed) => {
  expect(readCode(typed)).toBe('abcdefgh');
});

it.each([
  '',
  'abcdefg',
  'abcdefghj',
  'abcdefg1',
  'abcdefgo',
  'abcdefgi',
  'https://rage.example/t/x',
])('finds no code in %s', (typed) => {
  expect(readCode(typed)).toBeNull();
});

it('shows a code in two halves', () => {
  expect(showCode('abcdefgh')).toBe('abcd-efgh');
});
