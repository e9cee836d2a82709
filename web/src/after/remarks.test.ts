import { beforeEach, expect, it, vi } from 'vitest';
import { keepRemarks, keptRemarks, mergeRemarks, nameOf, editRemark } from './remarks.ts';
import { MAX_REMARK } from '../protocol.ts';
import { Shelf } from '../stored.shelf.ts';

beforeEach(() => void vi.stubGlobal('localStorage', new Shelf()));

it('keeps what is written for each game', () => {
  expect(keptRemarks('a')).toEqual({});
  expect(keepRemarks('a', { '1.0.0': 'oh' }, 1)).toBe(true);
  keepRemarks('b', { '2.1.1': 'no' }, 2);
  expect(keptRemarks('a')).toEqual({ '1.0.0': 'oh' });
  keepRemarks('a', {}, 3);
  expect(Object.keys(JSON.parse(localStorage.getItem('rage.remarks')!))).toEqual(['b']);
});

it('forgets the oldest of very many games', () => {
  for (let at = 0; at < 205; at++) keepRemarks(`game ${at}`, { '1.0.0': 'x' }, at);
  expect(keptRemarks('game 4')).toEqual({});
  expect(keptRemarks('game 5')).toEqual({ '1.0.0': 'x' });
});

it('is not harmed by what somebody else has stored there', () => {
  for (const odd of ['{', '[1]', 'null', '"x"', '{"a":{"remarks":5}}', '{"a":null}']) {
    localStorage.setItem('rage.remarks', odd);
    expect(keptRemarks('a')).toEqual({});
    expect(keepRemarks('b', { '1.0.0': 'x' }, 1)).toBe(true);
  }
});

it('says where nothing can be kept', () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => { throw new Error('full'); } }); // prettier-ignore
  expect(keepRemarks('a', { '1.0.0': 'x' }, 1)).toBe(false);
});

it('lays what was written here over what came with the game', () => {
  const given = { '1.0.0': 'theirs', '1.1.1': 'kept' };
  const own = editRemark(given, {}, '1.0.0', ' mine ');
  expect(own).toEqual({ '1.0.0': 'mine' });
  expect(mergeRemarks(given, own)).toEqual({ '1.0.0': 'mine', '1.1.1': 'kept' });
  expect(mergeRemarks(given, editRemark(given, own, '1.0.0', ''))).toEqual({ '1.1.1': 'kept' });
  expect(editRemark(given, own, '1.0.0', 'theirs')).toEqual({});
  for (const each of ['x', '🂡', 'E\u0301']) {
    const cut = editRemark({}, {}, '2.0.0', each.repeat(MAX_REMARK + 9))['2.0.0'];
    expect(cut).toBe(each.normalize().repeat(MAX_REMARK));
  }
});

it('knows a game again by what was played, whatever else its record says', () => {
  const rounds = [{ dealer: 1, hands: ['R1', 'B2'] }];
  expect(nameOf({ rounds, remarks: {} })).toBe(nameOf({ rounds, site: 'here' }));
  expect(nameOf({ rounds: [{ dealer: 0 }] })).not.toBe(nameOf({ rounds }));
  expect(nameOf(null)).toHaveLength(24);
});
