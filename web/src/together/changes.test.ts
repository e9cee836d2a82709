import { beforeAll, describe, expect, it } from 'vitest';
import english from '../../../src/rage/locale/en.json';
import type { TableView } from '../game/types.ts';
import { sentence, use } from '../say.ts';
import { changes, tellChanges } from './changes.ts';

const OPTIONS = {
  access: 'link', undo: true, known: false, takeover: 'vote', spectators: true, grace: 20,
  bot: 'steady', clock: null,
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
  it.each<[Given, string[]]>([
    [{}, []],
    [{ rules: 'poof+sweep' }, ['Rules: not as before']],
    [{ rules: 'amigo', edition: 'amigo' }, ['Rules: Rage (AMIGO 00990)']],
    [{ seats: 3 }, ['Seats: 3']],
    [{ options: { undo: false, known: true } }, ['Take back: off', 'Show what is known: on']],
    [{ options: { takeover: 'at_once' } }, ['When somebody is away: a bot plays on at once']],
    [{ options: { access: 'open' } }, ['Who may come: anybody on this server']],
    [{ options: { grace: 1 } }, ['Away without questions: 1 second']],
    [{ options: { clock: { nudge: 5, ask: 9, hand_over: 12 } } },
      ['Friendly clock: reminds after 5 seconds, asks after 9, a bot plays after 12']],
  ])('%o', (given, expected) => {
    expect(changes(table(), table(given)).map((each) => sentence(each))).toEqual(expected);
  }); // prettier-ignore

  it('is told in one sentence, and where I sit then', () => {
    const before = table({ me: { seat: 5 }, seats: 6, options: { clock: { nudge: 1 } } });
    const told = tellChanges(before, table({ me: { seat: 2 }, seats: 3 }))!;
    expect(sentence(told.reason)).toBe(
      'The host has changed the table. Seats: 3; Your seat: 3; Friendly clock: off.',
    );
  });

  it('is nothing where only somebody moved', () => {
    expect(tellChanges(table({ me: { seat: 0 } }), table({ me: { seat: 1 } }))).toBeNull();
  });
});
