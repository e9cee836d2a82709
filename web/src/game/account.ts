// Explains how the points of a round add up, like src/rage/game/account.py: "Bid of 1 missed: 4
// tricks + 5 for Bonus = 9 points". The server says what the points are for.

import type { PartsData } from '../protocol.ts';
import type { Reason } from '../say.ts';
import type { RoundView } from './types.ts';

/** A part of a side's points for a round: the reason and the points. */
export interface Part {
  kind: 'tricks' | keyof PartsData;
  n: number;
}

/** The parts of a side's points for a finished round, tricks first; `seats` are the side's. */
export function partsOf(round: RoundView, side: number, seats: readonly number[]): Part[] {
  const tricks = seats.reduce((total, seat) => total + round.won![seat]!, 0);
  const rest = Object.entries(round.accounts![side]!) as [keyof PartsData, number][];
  return [{ kind: 'tricks', n: tricks }, ...rest.map(([kind, n]) => ({ kind, n }))];
}

/** The whole account as one reason. */
export function accountOf(round: RoundView, side: number, seats: readonly number[]): Reason {
  const bid = seats.reduce((total, seat) => total + (round.bids[seat] ?? 0), 0);
  const named = {
    tricks: { code: 'account.tricks' },
    sweep: { code: 'account.sweep' },
    bonus: { code: 'account.card', card: '+' },
    mad: { code: 'account.card', card: '-' },
    bid: { code: 'account.bid', bid },
  };
  const [tricks, ...parts] = partsOf(round, side, seats);
  const first: Reason = { code: named.tricks.code, params: { n: tricks!.n } };
  const sum = parts.reduce((before, { kind, n }) => {
    const { code, ...params } = named[kind];
    const part = { code, params: { points: Math.abs(n), ...params } };
    return { code: `account.${n > 0 ? 'plus' : 'minus'}`, params: { before, part } };
  }, first);
  const missed = parts.length ? 'account.missed' : 'account.missed.plain';
  const code = round.met!.includes(side) ? 'account.met' : missed;
  return { code, params: { sum, points: round.points![side]!, bid } };
}
