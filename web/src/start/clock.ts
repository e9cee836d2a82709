// Presets of the friendly clock, in seconds.

import type { Clock, Options } from '../protocol';

export type ClockName = 'none' | 'relaxed' | 'usual' | 'brisk' | 'own';

export const CLOCKS: Readonly<Record<Exclude<ClockName, 'own'>, Clock | null>> = {
  none: null,
  relaxed: { nudge: 60, ask: 120, hand_over: 180 },
  usual: { nudge: 30, ask: 60, hand_over: 90 },
  brisk: { nudge: 12, ask: 25, hand_over: 40 },
};

/** The preset of a clock. */
export function nameOf(clock: Clock | null): ClockName {
  const same = (other: Clock | null) =>
    other?.nudge === clock?.nudge &&
    other?.ask === clock?.ask &&
    other?.hand_over === clock?.hand_over;
  const named = (Object.keys(CLOCKS) as Exclude<ClockName, 'own'>[]).find((name) =>
    same(CLOCKS[name]),
  );
  return named ?? 'own';
}

/** The steps of a clock, given how bots take over. */
export function stepsOf(takeover: Options['takeover']): (keyof Clock)[] {
  if (takeover === 'never') return ['nudge'];
  return takeover === 'vote' ? ['nudge', 'ask'] : ['nudge', 'ask', 'hand_over'];
}

/** A clock without its later steps, if they announce nothing. */
export function announcedClock(clock: Clock, takeover: Options['takeover']): Clock {
  const last = clock[stepsOf(takeover).at(-1)!];
  if (takeover === 'never') return { ...clock, ask: last, hand_over: last };
  return takeover === 'vote' ? { ...clock, hand_over: last } : clock;
}
