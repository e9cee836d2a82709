// The friendly clock's ready-made times, in seconds.

import type { Clock, Options } from '../protocol';

export type ClockName = 'none' | 'relaxed' | 'usual' | 'brisk' | 'own';

export const CLOCKS: Readonly<Record<Exclude<ClockName, 'own'>, Clock | null>> = {
  none: null,
  relaxed: { nudge: 60, ask: 120, hand_over: 180 },
  usual: { nudge: 30, ask: 60, hand_over: 90 },
  brisk: { nudge: 12, ask: 25, hand_over: 40 },
};

/** Which of them a clock is. */
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

/** What a clock does in turn, where a bot comes to play in such a way. */
export function stepsOf(takeover: Options['takeover']): (keyof Clock)[] {
  if (takeover === 'never') return ['nudge'];
  return takeover === 'vote' ? ['nudge', 'ask'] : ['nudge', 'ask', 'hand_over'];
}

/** A clock whose later times, which announce nothing there, are its last one that does. */
export function announced(clock: Clock, takeover: Options['takeover']): Clock {
  const last = clock[stepsOf(takeover).at(-1)!];
  if (takeover === 'never') return { ...clock, ask: last, hand_over: last };
  return takeover === 'vote' ? { ...clock, hand_over: last } : clock;
}
