import { expect, test } from 'vitest';
import { lettersOf, SHAPES, signOf } from './signs';

test('eight seats have eight signs, and a team shares one', () => {
  const sides = SHAPES.map((_, side) => [side]);
  const alone = SHAPES.map((_, seat) => signOf(seat, sides));
  expect(new Set(alone.map(({ sign }) => sign)).size).toBe(8);
  expect(alone.every(({ team }) => team === null)).toBe(true);
  const ten = Array.from({ length: 10 }, (_, seat) => signOf(seat)); // on a score sheet
  expect(new Set(ten.map(({ sign, stone }) => `${sign}${stone}`)).size).toBe(10);
  const teams = [0, 1, 2, 3].map((seat) => signOf(seat, [[0, 2], [1, 3]])); // prettier-ignore
  expect(teams.map(({ sign }) => sign)).toEqual([0, 1, 0, 1]);
  expect(teams.map(({ team }) => team)).toEqual([0, 1, 0, 1]);
});

test('two who choose the same are told apart, the second by what is next', () => {
  const alone = ['', '35Zo', '35', '', '67'].map((_, seat, all) => signOf(seat, [], all));
  expect(alone.map(({ sign }) => sign)).toEqual([0, 3, 4, 5, 6]);
  expect(alone.map(({ stone }) => stone)).toEqual([0, 5, 6, 3, 7]);
  expect(alone.map(({ letters }) => letters)).toEqual([null, 'Zo', null, null, null]);
  const full = Array.from({ length: 8 }, () => '77');
  const all = full.map((_, seat) => signOf(seat, [], full));
  expect(new Set(all.map(({ sign, stone }) => `${sign}${stone}`)).size).toBe(8);
  const team = signOf(1, [[0, 2], [1, 3]], ['', '35Zo', '', '']); // prettier-ignore
  expect(team).toEqual({ sign: 1, stone: 1, letters: 'Zo', team: 1 });
});

test.each([
  ['Robin', 'Ro'],
  ['Q', 'Q'],
  ['Ида', 'Ид'],
  ['  e\u0301a', 'e\u0301a'],
  ['🂡', '🂡'],
  ['7 of 9', '7o'],
  ['🇩🇪', '🇩🇪'],
  [
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}!',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ],
])('%s signs as %s', (name, letters) => expect(lettersOf(name)).toBe(letters));
