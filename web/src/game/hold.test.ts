import { expect, it } from 'vitest';
import { holdOf, type Showing } from './hold.ts';
import type { Fact } from './types.ts';

const mine = { type: 'played', seat: 0, move: 'R5' };
const theirs = { type: 'played', seat: 1, move: 'R5' };
const won = { type: 'trick_won', seat: 1 };
const round = { type: 'round_over' };

it.each<[string, object, Partial<Showing>, number]>([
  ['a card of others can be followed', theirs, { last: true }, 270],
  ['a card of mine needs no time', mine, { last: true }, 60],
  ['unless something came after it', mine, {}, 270],
  ['nor do bids', theirs, { last: true, bidding: true }, 60],
  ['a trick can be looked at, also the last thing that happened', won, { last: true }, 900],
  ['or longer', won, { long: true }, 2000],
  ['the end of a round waits for me', round, { last: true }, 0],
  ['and is shown to those who watch', round, { last: true, seat: null }, 5000],
  ['it can be read who has withheld a word', { type: 'started', withheld: [1] }, {}, 6000],
  ['else a beginning needs no time', { type: 'started' }, {}, 0],
])('%s', (_, fact, showing, hold) => {
  const usual = { last: false, seat: 0, bidding: false, long: false };
  expect(holdOf(fact as Fact, { ...usual, ...showing })).toBe(hold);
});
