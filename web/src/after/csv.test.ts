import { expect, it } from 'vitest';
import { cell } from './csv.ts';

it('writes numbers and names as they are', () => {
  expect([0, -3, 'Ann', '', '3-1'].map(cell)).toEqual(['0', '-3', 'Ann', '', '3-1']);
});

it('lets no text be a formula', () => {
  const formulas = ['=1+1', '+1', '-1', '@a', '\t=1', '＝1', '＋1', '－1', '＠a'];
  expect(formulas.map(cell)).toEqual(formulas.map((each) => `'${each}`));
  expect(cell('\r=1')).toBe('"\'\r=1"');
});

it('quotes what would end a cell, in tables with commas and with semicolons', () => {
  const texts = ['Ben "B"', 'a, b', 'a; b', 'a\nb', '=1,2'];
  const cells = ['"Ben ""B"""', '"a, b"', '"a; b"', '"a\nb"', '"\'=1,2"'];
  expect(texts.map(cell)).toEqual(cells);
});
