import { expect, it } from 'vitest';
import { announcedClock, CLOCKS, nameOf, stepsOf } from './clock';

it('knows its own paces, and whatever else is somebody’s own', () => {
  for (const [name, clock] of Object.entries(CLOCKS)) expect(nameOf(clock)).toBe(name);
  expect(nameOf({ nudge: 1, ask: 2, hand_over: 3 })).toBe('own');
});

it('announces only what happens', () => {
  const clock = { nudge: 1, ask: 2, hand_over: 3 };
  expect(announcedClock(clock, 'at_once')).toEqual(clock);
  expect(announcedClock(clock, 'vote')).toEqual({ nudge: 1, ask: 2, hand_over: 2 });
  expect(announcedClock(clock, 'never')).toEqual({ nudge: 1, ask: 1, hand_over: 1 });
  expect(stepsOf('vote')).toEqual(['nudge', 'ask']);
});
