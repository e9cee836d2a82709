import { expect, it, vi } from 'vitest';
import type { DecisionData } from '../protocol';
import { Refusal } from '../shell/failing';
import { requestAnalysis, tellCost } from './costs.ts';

const api = vi.hoisted(() => ({ ask: (_what: string): unknown => null }));
vi.mock(import('../shell/api'), async (original) => ({
  ...(await original()),
  get: async (path: string) => api.ask(path) as never,
  send: async (_method: string, path: string) => api.ask(path) as never,
}));

function decision(move: string, exact: boolean): DecisionData {
  return { move, best: move === '3' ? '2' : 'R9', cost: 1.3, exact } as DecisionData;
}

it('says whether a cost is that of all possible deals', () => {
  expect(tellCost(decision('G4', false)).code).toBe('analysis.cost');
  expect(tellCost(decision('G4', true)).code).toBe('analysis.cost.exact');
  expect(tellCost(decision('3', false)).code).toBe('analysis.cost.bid');
  expect(tellCost(decision('3', true)).code).toBe('analysis.cost.bid.exact');
  expect(tellCost(decision('3', true)).params).toEqual({ move: '3', best: '2', cost: 1.3 });
});

it('sends a game again to servers that do not know it, but not for ever', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  api.ask = (what) => {
    asked.push(what);
    if (what !== 'analysis') throw new Refusal('unknown', 404);
    return { name: 'one', done: 0, total: 9, failed: false, analysis: null };
  };
  const ended = expect(
    requestAnalysis('link', () => undefined, new AbortController().signal),
  ).rejects.toThrow('unknown');
  await vi.runAllTimersAsync();
  await ended;
  expect(asked.filter((each) => each === 'analysis')).toHaveLength(3);
  vi.useRealTimers();
});
