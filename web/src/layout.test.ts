import { expect, it } from 'vitest';
import { layoutOf, type Name, type Step } from './layout';

const at = (width: number, height: number, text = 16) => layoutOf({ width, height, text });
const has = (width: number, height: number, step: Step, text = 16) =>
  at(width, height, text).steps.includes(step);

it.each<[number, number, Name, string]>([
  [320, 568, 'phone', 'tiny slim narrow short'],
  [360, 640, 'phone', 'slim narrow short'],
  [390, 844, 'phone', 'narrow'],
  [568, 320, 'flat', 'low'],
  [640, 360, 'flat', 'broad low'],
  [844, 390, 'flat', 'broad wide low'],
  [768, 1024, 'tablet', 'broad wide tall'],
  [1280, 800, 'desk', 'broad wide spacious vast'],
  [1920, 1080, 'desk', 'broad wide spacious vast tall'],
])('a window of %i by %i is a %s with room that is %s', (width, height, name, steps) => {
  expect(at(width, height).name).toBe(name);
  expect(at(width, height).steps.join(' ')).toBe(steps);
});

it('larger text leaves less room', () => {
  expect(at(1280, 800, 32)).toMatchObject({ name: 'flat' });
  expect(at(1280, 800, 32).steps).toEqual(at(640, 400).steps);
  expect(has(390, 844, 'tiny', 20)).toBe(true);
});

it.each([
  [390, 844, 113, 520],
  [390, 664, 90, 388],
  [320, 568, 77, 330],
])(
  'a window of %i by %i has cards of %i in the hand, and a cloth of %i at least',
  (width, height, card, cloth) => {
    const { sizes } = at(width, height);
    expect(Math.round(sizes.card)).toBe(card);
    const hand = sizes.card * 1.4 * 1.125 + 12;
    expect(height - hand - sizes.line - sizes.voice).toBeGreaterThan(cloth - 12);
    expect(sizes.panel).toBe(0);
  },
);

it('every size has one layout, and what has room for more has room for less', () => {
  for (let width = 240; width <= 2600; width += 20) {
    for (let height = 200; height <= 1400; height += 40) {
      const { name, steps } = at(width, height);
      const is = (step: Step) => steps.includes(step);
      expect(is('narrow')).toBe(name === 'phone');
      if (name === 'flat') expect(is('low')).toBe(true);
      if (name === 'desk') expect(is('spacious') && !is('low')).toBe(true);
      const order = ['vast', 'spacious', 'wide', 'broad'] as const;
      order.forEach((step, i) => {
        if (is(step)) for (const less of order.slice(i)) expect(is(less)).toBe(true);
      });
    }
  }
});

it('style asks for nothing else: no width or height in a media query, no step that there is not', () => {
  const files = import.meta.glob<string>(['./**/*.svelte', './**/*.css'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const known = new Set<string>();
  for (let width = 300; width < 1300; width += 10)
    for (let height = 300; height < 1100; height += 10)
      for (const step of at(width, height).steps) known.add(step);
  const used = Object.entries(files).flatMap(([file, text]) => {
    expect(text, file).not.toMatch(/@media[^{]*\b(width|height|aspect-ratio)\b/);
    return Array.from(text.matchAll(/data-room~='(\w+)'/g), ([, step]) => step!);
  });
  expect([...known].sort()).toEqual([...new Set(used)].sort());
});
