import { expect, it } from 'vitest';
import {
  actionOf,
  byHand,
  byPack,
  cardOf,
  colourOf,
  isBid,
  isColoured,
  split,
  withCard,
  withoutCard,
} from './codes.ts';

it('tells cards, moves and bids apart', () => {
  expect(['R15', 'W', '+', '10', ''].map(isColoured)).toEqual([true, false, false, false, false]);
  expect(['R15', 'W', '10', '0', ''].map(isBid)).toEqual([false, false, true, true, false]);
  expect(['R15', 'WG', 'C', '-', '7'].map(actionOf)).toEqual([null, 'wild', 'change', 'mad', null]);
});

it('knows the card and the colour of a move', () => {
  expect(['R15', 'WG', 'W', 'CB', 'X', '+'].map(cardOf)).toEqual(['R15', 'W', 'W', 'C', 'X', '+']);
  expect(['R15', 'WG', 'W', 'CB', 'X'].map(colourOf)).toEqual(['R', 'G', null, 'B', null]);
});

it('sorts a hand high cards first and the pack low cards first, action cards last in both', () => {
  const cards = split('- B2 W R3 R15 + X C P0 R0');
  expect([...cards].sort(byHand).join(' ')).toBe('R15 R3 R0 B2 P0 W C X + -');
  expect([...cards].sort(byPack).join(' ')).toBe('R0 R3 R15 B2 P0 W C X + -');
});

it('adds a card in its place, and takes one of two equal ones away', () => {
  expect(withCard('R15 W', 'B2', byHand)).toBe('R15 B2 W');
  expect(withCard('', 'B2', byHand)).toBe('B2');
  expect(withoutCard('R15 W W', 'W')).toBe('R15 W');
  expect(withoutCard('R15', 'B2')).toBe('R15');
  expect(split('')).toEqual([]);
});
