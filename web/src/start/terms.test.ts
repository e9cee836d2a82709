import { expect, it } from 'vitest';
import {
  candidates,
  counts,
  editionOf,
  isBasedOn,
  schedule,
  termsOf,
  withSetting,
  without,
} from './terms';

it('takes rules apart and puts them together', () => {
  expect(editionOf('amigo+sweep+miss:-3')).toBe('amigo');
  expect(termsOf('amigo+sweep+miss:-3')).toEqual(['sweep', 'miss:-3']);
  expect(termsOf('amigo')).toEqual([]);
  expect(without('amigo+sweep+miss:-3', 'sweep')).toBe('amigo+miss:-3');
});

it.each([
  ['amigo+tie:exact_bids', true],
  ['amigo+sweep+tie:exact_bids', true],
  ['amigo+sweep', false],
  ['poof+tie:exact_bids', false],
])('finds a rule set in %s: %s', (rules, found) => {
  expect(isBasedOn(rules, 'amigo+tie:exact_bids')).toBe(found);
});

it('asks first for all, then for the new one without one of the old', () => {
  expect(candidates('amigo+hidden-bids+sweep', 'secret-bids')).toEqual([
    'amigo+hidden-bids+sweep+secret-bids',
    'amigo+hidden-bids+secret-bids',
    'amigo+sweep+secret-bids',
  ]);
});

it('writes every setting out where one is changed', () => {
  expect(withSetting('poof', { miss: '0', sweep: 'true' }, 'miss', '-5')).toBe(
    'poof+miss:-5+sweep:true',
  );
});

it.each([
  ['10, 9, 8', '10.9.8'],
  [' 3 2 1 ', '3.2.1'],
  ['5', '5'],
  ['', ''],
  ['1-2;3', '1.2.3'],
])('reads the schedule %s', (typed, written) => {
  expect(schedule(typed)).toBe(written);
});

it('counts the action cards of a pack', () => {
  expect(counts('wild2.change4.out0')).toEqual([
    ['wild', 2],
    ['change', 4],
    ['out', 0],
  ]);
});
