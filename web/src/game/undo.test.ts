import { describe, expect, it } from 'vitest';
import type { TableView } from './types.ts';
import { undoHappened } from './undo.ts';

describe('what is taken back', () => {
  const undo = { kind: 'undo', seat: 1 } as TableView['proposal'];
  const at = (bids: (number | null)[], moves: string, to_act: number, more: object = {}) => {
    const rounds = [{ hand_size: 5, bids, tricks: [{ moves }] }];
    const game = { bidding: false, to_act, rounds, ...more };
    return { proposal: null, game } as unknown as TableView;
  };
  const proposed = (from: TableView) => ({ ...from, proposal: undo });

  it('is a card that has gone again', () => {
    const before = proposed(at([1, 1], 'R1', 0));
    expect(undoHappened(before, at([1, 1], '', 1))).toBe(true);
    expect(undoHappened(before, at([1, 1], 'R1', 0))).toBe(false); // declined
    expect(undoHappened(before, at([1, 1], 'R1 R2', 1))).toBe(false); // played on instead
    expect(undoHappened(at([1, 1], 'R1', 0), at([1, 1], '', 1))).toBe(false); // another round
  });

  it('is a bid that is due again, seen or not', () => {
    const bidding = { bidding: true };
    for (const seen of [2, null]) {
      const before = proposed(at([null, seen], '', 0, bidding));
      expect(undoHappened(before, at([null, null], '', 1, bidding))).toBe(true);
      expect(undoHappened(before, at([null, seen], '', 0, bidding))).toBe(false);
      expect(undoHappened(before, at([3, seen], '', 1))).toBe(false);
    }
  });
});
