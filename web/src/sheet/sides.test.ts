import { beforeEach, expect, it } from 'vitest';
import en from '../../../src/rage/locale/en.json';
import { rulesNamed } from '../offline/names';
import type { Sheet } from '../offline/sheet';
import { use } from '../say';
import { standingOf } from './sides';

/** A round of three tricks, all bid and won by the first seat. */
const round = (dealer: number) => ({
  seats: [0, 1, 2, 3],
  hand_size: 3,
  dealer,
  bids: [3, 0, 0, 0],
  won: [3, 0, 0, 0],
  bonus: [0, 0, 0, 0],
  mad: [0, 0, 0, 0],
});
const sheet = (rules: string, rounds: number): Sheet => ({
  rules: rulesNamed(`${rules}+schedule:3.3`),
  players: ['Ann', 'Ben', 'Cem', 'Dora'],
  rounds: Array.from({ length: rounds }, (_, at) => round(at)),
  stopped: false,
  extra: {},
});

beforeEach(() => use('en', en));

it('says who leads and who has won, however many they are', () => {
  expect(standingOf(sheet('poof', 0))).toBe('');
  expect(standingOf(sheet('poof', 1))).toBe('Ann leads with 13.');
  expect(standingOf(sheet('poof', 2))).toBe('Ann wins with 26.');
  expect(standingOf(sheet('fundex+two-teams', 1))).toBe('Ann & Cem lead with 13.');
  expect(standingOf(sheet('fundex+two-teams', 2))).toBe('Ann & Cem win with 26.');
});
