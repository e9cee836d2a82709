import { expect, it } from 'vitest';
import type { DecisionData } from '../protocol';
import { tellCost } from './costs.ts';

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
