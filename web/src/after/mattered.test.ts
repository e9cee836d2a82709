import { describe, expect, it } from 'vitest';
import type { AnalysisData } from '../protocol.ts';
import { courseOf, mattered } from './mattered.ts';
import type { Replay, Step } from './replay.ts';

// Two players, three rounds of one trick: Ann misses in rounds 1 and 3, and meets in 2.
function round(number: number, points: [number, number], met: number[], more: Partial<Step>) {
  const steps: Step[] = [
    { at: `${number}.0.0`, say: [] },
    { at: `${number}.0.1`, say: [], seat: 1, move: '1' },
    { at: `${number}.0.2`, say: [], seat: 0, move: '1' },
    { at: `${number}.1.1`, say: [], seat: 1, move: 'R3' },
    { at: `${number}.1.2`, say: [], seat: 0, move: 'R2', winner: 1, ...more },
  ];
  return {
    number, players: ['Ann', 'Ben'], bots: [null, 'steady'], holders: [], dealer: 0, hand_size: 1,
    hands: ['R2', 'R3'], steps, bids: [1, 1], won: [0, 1], points, met, scores: points,
  }; // prettier-ignore
}
const replay: Replay = {
  rules: 'poof', edition: 'poof', players: ['Ann', 'Ben'], bots: [null, 'steady'], holders: [], signs: ['', ''],
  sides: [[0], [1]], scheduled: 3, scores: [0, 0], winners: [1], remarks: {}, link: '',
  rounds: [
    round(1, [-5, 11], [1], { missed: [0], keeps: 'R9 CB' }),
    round(2, [11, 1], [0], {}),
    round(3, [-5, 21], [1], { missed: [0] }),
  ],
}; // prettier-ignore

it('a course counts bids met, and names the round of the first moment as that which cost most', () => {
  expect(courseOf(replay, 0, mattered(replay, 0))).toEqual({
    met: 1,
    of: 3,
    costliest: 3,
    rounds: [false, true, false],
  });
  const met = { ...replay, rounds: [replay.rounds[1]!] };
  expect(courseOf(met, 0, mattered(met, 0)).costliest).toBe(null);
});

describe('the moments that mattered', () => {
  it('are lost bids, the worst round first, and what would have kept them, then the best round', () => {
    const found = mattered(replay, 0);
    expect(found.map(({ at, again }) => [at, again])).toEqual([
      ['3.1.2', '3.0.2'], // no other card would have kept it, so it is bid again
      ['1.1.2', '1.1.2'],
      ['2.1.2', '2.0.2'],
    ]);
    expect(found[1]).toMatchObject({
      told: { code: 'page.mattered.kept', params: { cards: 'R9 CB' } },
      better: ['R9', 'C'],
    });
    expect(found.map(({ told }) => told.code.split('.').at(-1))).toEqual(['lost', 'kept', 'met']);
  });

  it('begin with the costliest decisions of an analysis', () => {
    const decision = { round: 2, trick: 1, card: 2, seat: 0, move: 'R2', best: 'WB', cost: 4 };
    const analysis = { decisions: [decision], players: [{ seat: 0, costliest: [0] }] };
    const found = mattered(replay, 0, analysis as unknown as AnalysisData);
    expect(found[0]).toMatchObject({ at: '2.1.2', told: { code: 'analysis.cost' }, better: ['W'] });
    expect(found.map(({ at }) => at)).toEqual(['2.1.2', '3.1.2', '1.1.2']);
    expect(courseOf(replay, 0, found).costliest).toBe(2);
  });

  it('are none of a seat that a bot has played', () => {
    expect(mattered(replay, 1)).toEqual([]);
  });
});
