import { expect, it } from 'vitest';
import { CLOCKS, paceOf } from './clock';

it('knows its own paces, and whatever else is somebody’s own', () => {
  for (const [pace, clock] of Object.entries(CLOCKS)) expect(paceOf(clock)).toBe(pace);
  expect(paceOf({ nudge: 1, ask: 2, hand_over: 3 })).toBe('own');
});
