import { expect, it } from 'vitest';
import { placePath } from './place_path.ts';
import { SYMBOLS } from './symbols.ts';

it('a drawing is where it was, at the usual size', () => {
  const d = 'M1 2L3.5 4H6V7C1 2 3 4 5 6Z';
  expect(placePath(d, 0, 0, 1)).toBe(d);
});

it('a drawing is scaled and moved', () => {
  expect(placePath('M1 2 3 4H5V6Z', 10, 20, 2)).toBe('M12 24 16 28H20V32Z');
});

it('a drawing has arcs of other radii, turned as they were', () => {
  const arcs = 'M1 2A3 3 0 1 0 4 5 3 3 0 0 1 1 2';
  expect(placePath(arcs, 10, 20, 2)).toBe('M12 24A6 6 0 1 0 18 30 6 6 0 0 1 12 24');
});

it('a drawing is made of what the symbols are made of', () => {
  for (const d of Object.values(SYMBOLS)) expect(d).toMatch(/^[MLHVCSAZ\d. ]+$/);
});
