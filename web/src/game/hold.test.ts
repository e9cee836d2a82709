import { expect, it } from 'vitest';
import { stagesOf, type Showing } from './hold.ts';
import type { Fact } from './types.ts';

const mine = { type: 'played', seat: 0, move: 'R5' };
const theirs = { type: 'played', seat: 1, move: 'R5' };
const round = { type: 'round_over' };
const quick = { pace: 'quick', trick: 'usual' } as const;
const usual = { pace: 'usual', trick: 'usual' } as const;

const shown = (fact: object, showing: Partial<Showing>) =>
  stagesOf(fact as Fact, { last: false, seat: 0, bidding: false, settings: usual, ...showing });

it.each<[string, object, Partial<Showing>, number]>([
  ['a card of others can be followed', theirs, { last: true }, 420],
  ['or comes quickly', theirs, { settings: quick }, 210],
  ['so can one of mine', mine, { last: true }, 420],
  ['a bid needs no time', theirs, { last: true, bidding: true }, 60],
  ['unless something came after it', theirs, { bidding: true }, 420],
  ['the end of a round waits for me', round, { last: true }, 0],
  ['and is shown to those who watch', round, { last: true, seat: null }, 5000],
  ['it can be read who has withheld a word', { type: 'started', withheld: [1] }, {}, 6000],
  ['else a beginning needs no time', { type: 'started' }, {}, 0],
])('%s', (_, fact, showing, hold) => {
  expect(shown(fact, showing).map((each) => each.hold)).toEqual([hold]);
});

it.each([
  ['short', 'usual', 550],
  ['usual', 'usual', 1050],
  ['usual', 'quick', 1050],
  ['usual', 'slow', 1050],
  ['long', 'usual', 2050],
] as const)('a trick can be looked at, %s at a %s pace', (trick, pace, time) => {
  const stages = shown({ type: 'trick_won', seat: 1 }, { settings: { pace, trick } });
  expect(stages.map(({ stage }) => stage)).toEqual(['crowned', 'said', 'swept', 'counted']);
  expect(stages[0]!.hold + stages[1]!.hold).toBe(time);
});
