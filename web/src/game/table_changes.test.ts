import { beforeAll, describe, expect, it } from 'vitest';
import english from '../../../src/rage/locale/en.json';
import type { TableView } from './types.ts';
import { sentence, use } from '../say.ts';
import { changes, tellChanges, tellSeat, tellWhole } from './table_changes.ts';

const OPTIONS = {
  access: 'link', undo: true, known: false, takeover: 'vote', spectators: true, grace: 20,
  bot: 'steady', clock: null, between: 120, advice: 'alone',
}; // prettier-ignore

interface Given {
  rules?: string;
  edition?: string;
  seats?: number;
  me?: { seat: number } | null;
  options?: object;
}
const table = ({ rules = 'poof', edition = 'poof', seats = 4, me = null, options }: Given = {}) =>
  ({
    rules,
    settings: { edition },
    seats: Array(seats).fill({}),
    me,
    options: { ...OPTIONS, ...options },
  }) as unknown as TableView;

beforeAll(() => use('en', english));

describe('what the host has changed', () => {
  it.each<[after: Given, string[], before?: Given]>([
    [{}, []],
    [{}, ['Friendly clock: off'], { options: { clock: { nudge: 1 } } }],
    [{ rules: 'poof+sweep' }, ['Rules: changed']],
    [{ rules: 'amigo', edition: 'amigo' }, ['Rules: Rage (AMIGO 00990)']],
    [{ seats: 3 }, ['Seats: 3']],
    [{ options: { undo: false, known: true } }, ['Take back: off', 'Show what is known: on']],
    [{ options: { takeover: 'at_once' } }, ['When someone is away: a bot plays on at once']],
    [{ options: { access: 'open' } }, ['Who may join: anyone on this server']],
    [{ options: { grace: 1 } }, ['Away for 1 second before anything happens']],
    [{ options: { between: 0 } }, ['Between rounds: no pause']],
    [{ options: { between: 30 } }, ['Between rounds: 30 seconds at most']],
    [{ options: { between: null } }, ['Between rounds: until everyone is ready']],
    [{ options: { clock: { nudge: 5, ask: 9, hand_over: 12 } } },
      ['Friendly clock: reminds after 5 seconds, asks the others after 9']],
    [{ options: { takeover: 'never', clock: { nudge: 5, ask: 9, hand_over: 12 } } },
      ['When someone is away: the others wait', 'Friendly clock: reminds after 5 seconds']],
    [{ options: { takeover: 'at_once', clock: { nudge: 5, ask: 9, hand_over: 12 } } },
      ['When someone is away: a bot plays on at once',
        'Friendly clock: reminds after 5 seconds, asks after 9, a bot plays after 12']],
  ])('%o', (given, expected, before) => {
    expect(changes(table(before), table(given)).map((each) => sentence(each))).toEqual(expected);
  }); // prettier-ignore

  it('is nothing where only somebody moved', () => {
    expect(tellChanges(table({ me: { seat: 0 } }), table({ me: { seat: 1 } }))).toBeNull();
  });
});

it.each([
  ['one that I had', 1, 1, 'playing'],
  ['one before the game', null, 1, 'gathering'],
  ['none', null, null, 'playing'],
])('a seat of my own is not told: %s', (_, before, after, phase) => {
  const at = (seat: number | null) => ({ ...table(), phase, me: { seat } }) as TableView;
  expect(tellSeat(at(before), at(after))).toBeNull();
});

describe('a host who comes back', () => {
  const hosted = (host: string, owner: string, host_free_at: number | null = null) =>
    ({
      ...table(),
      host,
      owner,
      seats: [{ name: 'Ann', person: 'a', here: true }, { name: 'Ben', person: 'b', here: true }],
      spectators: [],
      me: { person: 'a', seat: 0, host_free_at },
    }) as unknown as TableView; // prettier-ignore
  const told = (before: TableView | null, after: TableView) => {
    const found = tellWhole(before, after);
    return found && sentence(found.reason);
  };
  const AGAIN = 'Ben is the host now instead of you. You can be host again: see “People”.';

  it.each<[string, TableView | null, TableView, string | null]>([
    ['reconnected', hosted('a', 'a'), hosted('b', 'a', 0), AGAIN],
    ['loaded again', null, hosted('b', 'a', 0), AGAIN],
    ['not the owner', hosted('a', 'b'), hosted('b', 'b'), 'Ben is the host now instead of you.'],
    ['still host', null, hosted('a', 'a'), null],
    ['never host', null, hosted('b', 'b'), null],
  ])('%s', (_, before, after, expected) => {
    expect(told(before, after)).toBe(expected);
  });
});
