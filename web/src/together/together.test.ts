import { describe, expect, it } from 'vitest';
import type { MeView, SaidView, SeatView, TableView } from '../game/types.ts';
import {
  absent,
  awaited,
  electors,
  heard,
  mayClaim,
  takenBack,
  tricksLeft,
  unread,
} from './together.ts';

const seat = (person: string | null, more: Partial<SeatView> = {}): SeatView => ({
  name: person ?? 'bot', person, bot: person ? null : 'steady', here: true, word: '', shows: false,
  votes: {}, ...more,
}); // prettier-ignore

const table = (more: object = {}): TableView =>
  ({
    phase: 'playing',
    asked: false,
    options: { takeover: 'vote', undo: true },
    seats: [seat('a'), seat('b', { here: false, votes: { a: true } }), seat('c'), seat(null)],
    spectators: [],
    proposal: null,
    game: { to_act: 1, bidding: false, won: [1, 0, 0, 1], rounds: [{ hand_size: 5 }] },
    ...more,
  }) as unknown as TableView;

const me = (person: string, at: number | null): MeView => ({
  person, name: person, seat: at, looking: null, muted: [], may_undo: false,
}); // prettier-ignore

describe('somebody who is awaited', () => {
  it('is voted on by those who are here and play themselves', () => {
    expect(electors(table(), 1)).toEqual(['a', 'c']);
    expect(absent(table(), me('a', 0))).toEqual({
      seat: 1, away: true, how: 'vote', yes: 1, needed: 2, mine: true,
    }); // prettier-ignore
    expect(absent(table(), me('c', 2))?.mine).toBeNull();
  });

  it('is replaced at once where the table says so, and only while away', () => {
    const options = { takeover: 'at_once' };
    expect(absent(table({ options }), me('a', 0))?.how).toBe('at_once');
    const slow = {
      options,
      asked: true,
      seats: table().seats.map((each) => ({ ...each, here: true })),
    };
    expect(absent(table(slow), me('a', 0))).toMatchObject({ away: false, how: 'watch' });
  });

  it('is no business of who watches', () => {
    expect(absent(table(), me('s', null))?.how).toBe('watch');
  });

  it('is nobody while all go on', () => {
    const game = { ...table().game, to_act: 0 };
    expect(absent(table({ game }), me('c', 2))).toBeNull();
    expect(absent(table({ phase: 'paused' }), me('a', 0))).toBeNull();
    expect(absent(table(), me('b', 1))).toBeNull();
    const seats = [seat('a'), seat('b', { here: false, bot: 'steady' }), seat('c'), seat(null)];
    expect(absent(table({ seats }), me('a', 0))).toBeNull();
  });
});

describe('a claim', () => {
  const turn = (more: object = {}) =>
    table({ game: { ...table().game, to_act: 0, ...more } as TableView['game'] });

  it('is for the tricks that are left', () => {
    expect(tricksLeft(turn())).toBe(3);
  });

  it('is offered on my turn alone, once the bids are made', () => {
    expect(mayClaim(turn(), me('a', 0))).toBe(true);
    expect(mayClaim(turn(), me('c', 2))).toBe(false);
    expect(mayClaim(turn({ bidding: true }), me('a', 0))).toBe(false);
    expect(mayClaim(turn({ won: [4, 0, 0, 0] }), me('a', 0))).toBe(false);
    expect(mayClaim({ ...turn(), proposal: {} as TableView['proposal'] }, me('a', 0))).toBe(false);
  });
});

describe('what is taken back', () => {
  const undo = { kind: 'undo', seat: 1 } as TableView['proposal'];
  const at = (bids: (number | null)[], moves: string, to_act: number, more: object = {}) => {
    const rounds = [{ hand_size: 5, bids, tricks: [{ moves }] }];
    const game = { ...table().game, bidding: false, to_act, rounds, ...more };
    return table({ game: game as unknown as TableView['game'] });
  };
  const proposed = (from: TableView) => ({ ...from, proposal: undo });

  it('is a card that has gone again', () => {
    const before = proposed(at([1, 1], 'R1', 0));
    expect(takenBack(before, at([1, 1], '', 1))).toBe(true);
    expect(takenBack(before, at([1, 1], 'R1', 0))).toBe(false); // declined
    expect(takenBack(before, at([1, 1], 'R1 R2', 1))).toBe(false); // played on instead
    expect(takenBack(at([1, 1], 'R1', 0), at([1, 1], '', 1))).toBe(false); // another round
  });

  it('is a bid that is due again, seen or not', () => {
    const bidding = { bidding: true };
    for (const seen of [2, null]) {
      const before = proposed(at([null, seen], '', 0, bidding));
      expect(takenBack(before, at([null, null], '', 1, bidding))).toBe(true);
      expect(takenBack(before, at([null, seen], '', 0, bidding))).toBe(false);
      expect(takenBack(before, at([3, seen], '', 1))).toBe(false);
    }
  });
});

it('a proposal waits for whom it asks and who has not agreed', () => {
  const proposal = { asked: [0, 2], agreed: [2] } as unknown as TableView['proposal'];
  expect(awaited(table({ proposal }))).toEqual([0]);
});

it('muted lines are not heard, and what I say or have read is not new', () => {
  const line = (seq: number, person: string): SaidView => ({
    seq, person, name: person, at: 0, text: 'x', preset: null,
  }); // prettier-ignore
  const lines = [line(1, 'b'), line(2, 'c'), line(3, 'a'), line(4, 'b')];
  const mine = { ...me('a', 0), muted: ['c'] };
  expect(heard(lines, mine).map(({ seq }) => seq)).toEqual([1, 3, 4]);
  expect(unread(lines, mine, 0)).toBe(2);
  expect(unread(lines, mine, 1)).toBe(1);
  expect(unread(lines, mine, 4)).toBe(0);
});
