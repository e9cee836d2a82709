import { describe, expect, it } from 'vitest';
import { newPath, routeOf, tableOf } from './routes';

describe('routeOf', () => {
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
    ['g/abcdefgh/2', { page: 'game', table: 'abcdefgh', game: 2, moment: '', viewpoint: null }],
  ])('reads %s', (path, route) => {
    expect(routeOf(path)).toEqual(route);
  });

  it.each([
    't',
    't/abcdefg',
    'tv/abcdefg',
    't/abcdefgi',
    't/abcdefgh/x',
    'g/abcdefgh',
    'g/abcdefgh/-1',
    'g/x/1',
    'no',
    'new/x',
    'mine/x',
  ])('finds nothing at %s', (path) => {
    expect(routeOf(path)).toEqual({ page: 'lost' });
  });

  it('takes the moment of a game from the fragment', () => {
    expect(routeOf('g/abcdefgh/1', '', '#r3t2')).toMatchObject({ moment: 'r3t2' });
  });

  it('takes a shared game from the fragment, with its moment and its viewpoint', () => {
    const open = { page: 'open', link: '', moment: '', viewpoint: null };
    expect(routeOf('open')).toEqual(open);
    expect(routeOf('open', '', '#1.a-_.b')).toEqual({ ...open, link: '1.a-_.b' });
    const whole = { page: 'open', link: '1.a.b', moment: '7.2.1', viewpoint: 2 };
    expect(routeOf('open', '', '#1.a.b&at=7.2.1&viewpoint=2')).toEqual(whole);
    expect(routeOf('open', '', '#1.a.b&viewpoint=two')).toMatchObject({ viewpoint: null });
    expect(routeOf('g/abcdefgh/1', '', '#3.1.1&viewpoint=0')).toMatchObject({
      moment: '3.1.1',
      viewpoint: 0,
    });
  });

  it('takes rules from a link, with the plus as it stands and as browsers write it', () => {
    const rules = { page: 'new', rules: 'amigo+sweep', players: 4 };
    expect(routeOf('new', '?rules=amigo+sweep&players=4')).toEqual(rules);
    expect(routeOf('new', '?rules=amigo%2Bsweep&players=4')).toEqual(rules);
    expect(routeOf('new', '?players=four')).toEqual({ page: 'new', rules: null, players: null });
  });

  it('takes a hand-over from the fragment of the link that the server makes', () => {
    expect(routeOf('join', '', '#handover=abc.def')).toEqual({ page: 'hello', token: 'abc.def' });
    expect(routeOf('join', '?code=ABCD')).toEqual({ page: 'join', code: 'ABCD' });
  });
});

describe('newPath', () => {
  it.each(['amigo', 'amigo+hidden-bids+miss:-3', 'poof+schedule:3.2.1', 'poof+a b&c=d'])(
    'carries %s there and back',
    (rules) => {
      const [path = '', query] = newPath(rules, 5).split('?');
      const route = routeOf(path, `?${query}`);
      expect(route).toEqual({ page: 'new', rules: rules.replace(' ', '+'), players: 5 });
    },
  );
});

it('takes an empty wish for none', () => {
  expect(routeOf('new', '?rules=')).toEqual({ page: 'new', rules: null, players: null });
});

describe('the table that somebody is at', () => {
  const after = (path: string, before: string | null = 'abcdefgh') =>
    tableOf(routeOf(path), before);

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
