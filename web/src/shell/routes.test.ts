import { describe, expect, it } from 'vitest';
import { newPath, routeOf, tableOf } from './routes';

/** The route of an address below the base. */
function at(address: string) {
  const { pathname, search, hash } = new URL(address, 'http://rage.example/');
  return routeOf(pathname.slice(1), search, hash);
}
const game = { page: 'game', table: 'abcdefgh', game: 1, moment: '', viewpoint: null };
const open = { page: 'open', link: '', moment: '', viewpoint: null };
const asked = { page: 'new', rules: 'amigo+sweep', players: 4 };

it.each([
  ['', { page: 'home' }],
  ['mine', { page: 'mine' }],
  ['mine/', { page: 'mine' }],
  ['day', { page: 'day' }],
  ['stats', { page: 'stats' }],
  ['settings', { page: 'settings' }],
  ['learn', { page: 'learn' }],
  ['handover', { page: 'handover' }],
  ['recover', { page: 'recover', table: null }],
  ['t/abcdefgh', { page: 'table', table: 'abcdefgh' }],
  ['t/ABCD-EFGH', { page: 'table', table: 'abcdefgh' }],
  ['tv/ABCD-EFGH', { page: 'tv', table: 'abcdefgh' }],
  ['e/ABCD-EFGH', { page: 'event', event: 'abcdefgh' }],
  ['g/abcdefgh/2', { ...game, game: 2 }],
  ['g/abcdefgh/1#r3t2', { ...game, moment: 'r3t2' }],
  ['g/abcdefgh/1#3.1.1&viewpoint=0', { ...game, moment: '3.1.1', viewpoint: 0 }],
  ['open', open],
  ['open#1.a-_.b', { ...open, link: '1.a-_.b' }],
  ['open#1.a.b&at=7.2.1&viewpoint=2', { ...open, link: '1.a.b', moment: '7.2.1', viewpoint: 2 }],
  ['open#1.a.b&viewpoint=two', { ...open, link: '1.a.b' }],
  ['new?rules=amigo+sweep&players=4', asked],
  ['new?rules=amigo%2Bsweep&players=4', asked],
  ['new?rules=&players=four', { page: 'new', rules: null, players: null }],
  ['join#handover=abc.def', { page: 'hello', token: 'abc.def' }],
  ['join?code=ABCD', { page: 'join', code: 'ABCD' }],
])('reads %s', (address, route) => expect(at(address)).toEqual(route));

it.each([
  't',
  't/abcdefg',
  'tv/abcdefg',
  'e/abcdefg',
  't/abcdefgi',
  't/abcdefgh/x',
  'g/abcdefgh',
  'g/abcdefgh/-1',
  'g/x/1',
  'no',
  'new/x',
  'mine/x',
])('finds nothing at %s', (address) => expect(at(address)).toEqual({ page: 'lost' }));

it.each(['amigo', 'amigo+hidden-bids+miss:-3', 'poof+schedule:3.2.1', 'poof+a b&c=d'])(
  'carries %s in a link and back',
  (rules) => {
    const route = { page: 'new', rules: rules.replace(' ', '+'), players: 5 };
    expect(at(newPath(rules, 5))).toEqual(route);
  },
);

describe('the table that somebody is at', () => {
  const after = (path: string, before: string | null = 'abcdefgh') => tableOf(at(path), before);

  it.each(['settings', 'handover', 'g/abcdefgh/1', 't/abcdefgh'])(
    'is still the same at %s',
    (path) => expect(after(path)).toBe('abcdefgh'),
  );
  it.each(['', 'new', 'join', 'mine', 'g/bcdefghj/1', 'no/such/page'])('is none at "%s"', (path) =>
    expect(after(path)).toBeNull(),
  );
  it('is another at another', () => expect(after('t/bcdefghj')).toBe('bcdefghj'));
  it('is none where one was at none', () => {
    for (const path of ['settings', 'g/abcdefgh/1']) expect(after(path, null)).toBeNull();
  });
});
