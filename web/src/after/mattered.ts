// The moments of a game that mattered to a player: the costliest decisions, lost bids, and the best
// rounds.

import { cardOf, isBid, split } from '../codes.ts';
import type { AnalysisData, DecisionData } from '../protocol.ts';
import type { Reason } from '../say.ts';
import { tellCost } from './costs.ts';
import { placeOf } from './playback.svelte.ts';
import type { Replay, ReplayRound, Step } from './replay.ts';

const MOST = 3;

export interface Mattered {
  /** The moment to show, and the decision to make again, named by the moment after it. */
  readonly at: string;
  readonly again: string;
  readonly told: Reason;
  /** The cards that would have been better. */
  readonly better: readonly string[];
}

/** How many bids a seat's side has met, of how many, and the round of the first moment that
 * mattered, which cost most (`null`: all were met). */
export interface Course {
  readonly met: number;
  readonly of: number;
  readonly costliest: number | null;
  /** By round, whether its bid was met. */
  readonly rounds: readonly boolean[];
}

const sideOf = ({ sides }: Replay, seat: number) => sides.findIndex((each) => each.includes(seat));

/** The lead of a side over the mean of the others in a round that is over. */
function lead({ points }: ReplayRound, side: number): number {
  const others = points!.filter((_, at) => at !== side);
  return points![side]! - others.reduce((sum, each) => sum + each, 0) / Math.max(1, others.length);
}

/** The finished rounds that a person played in a seat, the worst for its side first. */
function worstFirst(replay: Replay, seat: number): ReplayRound[] {
  const side = sideOf(replay, seat);
  return replay.rounds
    .filter(({ points, bots }) => points !== null && bots[seat] == null)
    .sort((a, b) => lead(a, side) - lead(b, side));
}

/** The course of a game for a seat, given the moments that mattered. */
export function courseOf(replay: Replay, seat: number, moments: readonly Mattered[]): Course {
  const side = sideOf(replay, seat);
  const rounds = worstFirst(replay, seat);
  const missed = rounds.filter(({ met }) => !met!.includes(side));
  return {
    met: rounds.length - missed.length,
    of: rounds.length,
    costliest: missed.length ? roundOf(moments[0]!) : null,
    rounds: replay.rounds.map(({ met }) => met?.includes(side) ?? false),
  };
}

/** Up to three moments for a seat, the costliest first: its costliest decisions, as far as the game
 * has been analysed, then where bids were lost, then the best rounds. */
export function mattered(
  replay: Replay,
  seat: number,
  analysis: AnalysisData | null = null,
): Mattered[] {
  const side = sideOf(replay, seat);
  const worst = worstFirst(replay, seat);
  const costly = analysis?.players.find((each) => each.seat === seat)?.costliest ?? [];
  const found = costly.map((index) => ofDecision(replay, analysis!.decisions[index]!));
  const rounds = new Set(found.map(roundOf));
  const missed = worst.filter(({ met }) => !met!.includes(side));
  const others = [...missed, ...worst.filter((each) => !missed.includes(each)).reverse()];
  for (const round of others) {
    if (found.length >= MOST) break;
    if (!rounds.has(round.number)) found.push(ofRound(round, seat, side));
  }
  return found.slice(0, MOST);
}

const roundOf = ({ at }: Mattered) => Number(at.split('.')[0]);

/** The step with which the bidding or the trick of a moment ends. */
function endOf(steps: readonly Step[], at: string): Step {
  const part = at.slice(0, at.lastIndexOf('.') + 1);
  return steps.filter((each) => each.at.startsWith(part)).at(-1)!;
}

function ofDecision(replay: Replay, decision: DecisionData): Mattered {
  const again = placeOf(decision);
  const { steps } = replay.rounds.find(({ number }) => number === decision.round)!;
  const better = isBid(decision.best) ? [] : [cardOf(decision.best)];
  return { at: endOf(steps, again).at, again, told: tellCost(decision), better };
}

function ofRound(round: ReplayRound, seat: number, side: number): Mattered {
  const { steps, bids, points } = round;
  const mine = steps.filter((each) => each.seat === seat);
  const bid = mine[0]!.at;
  const lost = steps.find(({ missed = [] }) => missed.includes(side));
  if (!lost) {
    const told = { code: 'page.mattered.met', params: { bid: bids[seat], points: points![side] } };
    return { at: steps.at(-1)!.at, again: bid, told, better: [] };
  }
  const made = mine.filter(({ at }) => endOf(steps, at) === lost).at(-1)!;
  const keeps = made.keeps ?? '';
  const told = keeps
    ? { code: 'page.mattered.kept', params: { cards: keeps } }
    : { code: 'page.mattered.lost', params: { bid: bids[seat] } };
  return { at: lost.at, again: keeps ? made.at : bid, told, better: split(keeps).map(cardOf) };
}
