// A finished game from the server (src/rage/house/games/replay.py): its moments in order, and the
// state at each. No rules are applied here: a card leaves the hand that played it, and everything
// else is in the step.

import { byHand, cardOf, split } from '../codes.ts';
import { holderIn, namesAt } from '../game/holders.ts';
import type { Replay, ReplayRound, Step } from '../protocol.ts';

export type { Replay, ReplayRound, Step };

/** A position in the game: a round and a step in it, both counted from 0. */
export interface Moment {
  readonly round: number;
  readonly step: number;
  readonly at: string;
}

/** A change of trump, by a turn-up or a card. */
export interface TrumpChange {
  readonly at: string;
  readonly trump: string | null;
  readonly seat: number | null;
  readonly move: string | null;
  readonly turned: readonly string[];
}

/** Everything visible at a moment. */
export interface Scene {
  readonly round: ReplayRound;
  readonly step: Step;
  readonly hands: readonly (readonly string[])[];
  readonly bids: readonly (number | null)[];
  readonly won: readonly number[];
  /** The trick on the table by seat; a full one stays until the next is led. */
  readonly trick: readonly (string | null)[];
  readonly leader: number | null;
  readonly trickNumber: number;
  readonly trumps: readonly TrumpChange[];
  /** The points before this round; after it, once it is over. */
  readonly scores: readonly number[];
  /** Whether the round has ended. */
  readonly over: boolean;
}

/** Every moment of a game in order. */
export function moments(replay: Replay): Moment[] {
  return replay.rounds.flatMap((each, round) =>
    each.steps.map(({ at }, step) => ({ round, step, at })),
  );
}

const PARTS = /^#?(\d{1,3})(?:\.(\d{1,3})(?:\.(\d{1,2}))?)?$/;

/** The moment that a link names, as `rage replay --stop` reads it: a round after its bids (`7`), a
 * full trick (`7.2`), a card (`7.2.1`), and here also a bid (`7.0.2`). If it does not exist, the
 * nearest one; the first if the link names none. */
export function find(all: readonly Moment[], written: string): number {
  const match = PARTS.exec(written);
  if (!match) return 0;
  const last = all.at(-1);
  const wanted = [match[1], match[2] ?? 0, match[3] ?? 99].map(Number);
  if (last && after(wanted, parts(last.at))) return all.length - 1;
  const at = all.findIndex((each) => after(parts(each.at), wanted));
  return Math.max(at < 0 ? all.length - 1 : at - 1, 0);
}

function parts(at: string): number[] {
  return at.split('.').map(Number);
}

/** Whether one moment is after another. */
export function comesAfter(at: string, other: string): boolean {
  return after(parts(at), parts(other));
}

function after(a: readonly number[], b: readonly number[]): boolean {
  const differs = a.findIndex((part, i) => part !== b[i]);
  return differs >= 0 && a[differs]! > b[differs]!;
}

/** The next end of a trick or of the bidding in a direction, or the end of the game. */
export function nextTrick(all: readonly Moment[], from: number, by: 1 | -1): number {
  const end = (at: number) =>
    at === 0 || at === all.length - 1 || trickOf(all[at]!.at) !== trickOf(all[at + 1]!.at);
  let at = from;
  do at += by;
  while (at > 0 && at < all.length - 1 && !end(at));
  return clamp(at, all.length);
}

function trickOf(at: string): string {
  return at.slice(0, at.lastIndexOf('.'));
}

/** The first moment of a round, by its index from 0, kept within the game. */
export function roundStart(all: readonly Moment[], round: number): number {
  const at = all.findIndex((each) => each.round === round);
  if (at >= 0) return at;
  return round < 0 ? 0 : all.length - 1;
}

export function clamp(at: number, length: number): number {
  return Math.min(Math.max(at, 0), Math.max(length - 1, 0));
}

/** The state at a moment. */
export function sceneAt(replay: Replay, moment: Moment): Scene {
  const round = replay.rounds[moment.round]!;
  const players = replay.players.length;
  const steps = round.steps.slice(0, moment.step + 1);
  const step = steps.at(-1)!;
  const hands = round.hands.map((hand) => split(hand).sort(byHand));
  const bids: (number | null)[] = Array(players).fill(null);
  const won: number[] = Array(players).fill(0);
  let trick: (string | null)[] = Array(players).fill(null);
  let leader: number | null = null;
  let full = false;
  for (const each of steps) {
    if (each.seat == null || each.move == null) continue;
    if (each.at.split('.')[1] === '0') {
      bids[each.seat] = Number(each.move);
      continue;
    }
    if (full || leader === null)
      [trick, leader, full] = [Array(players).fill(null), each.seat, false];
    trick[each.seat] = each.move;
    const hand = hands[each.seat]!;
    hand.splice(hand.indexOf(cardOf(each.move)), 1);
    if (each.winner == null) continue;
    won[each.winner]! += 1;
    full = true;
  }
  const over = moment.step === round.steps.length - 1 && round.points !== null;
  return {
    round,
    step,
    hands,
    bids,
    won,
    trick,
    leader,
    trickNumber: Number(step.at.split('.')[1]),
    trumps: trumpChanges(steps),
    scores: over
      ? round.scores
      : (replay.rounds[moment.round - 1]?.scores ?? replay.sides.map(() => 0)),
    over,
  };
}

/** The names of a side: everyone who held its seats, or only the holders in one round. */
export function namesOf({ sides, holders }: Replay, side: number, round?: number): string[] {
  return (sides[side] ?? []).map((seat) =>
    round === undefined ? namesAt(holders, seat) : holderIn(holders, seat, round),
  );
}

/** By seat, the names of the players in a round. */
export const namesIn = ({ holders }: Replay, round: number): string[] =>
  holders.map((_, seat) => holderIn(holders, seat, round));

/** A moment worth a second look. */
export interface Notable {
  readonly at: string;
  /** The side whose bid became impossible here, or the trump that was set. */
  readonly missed: number | null;
  readonly trump: TrumpChange | null;
}

/** Where each bid became impossible, and where the trump changed, in order. The turn-up at the deal
 * is not a change. */
export function notables(replay: Replay): Notable[] {
  return replay.rounds.flatMap((round) => {
    const missed = round.steps.flatMap(({ at, missed: sides = [] }) =>
      sides.map((side) => ({ at, missed: side, trump: null })),
    );
    const changes = trumpChanges(round.steps).slice(1);
    const found = [...missed, ...changes.map((trump) => ({ at: trump.at, missed: null, trump }))];
    const order = new Map(round.steps.map(({ at }, step) => [at, step]));
    return found.sort((a, b) => order.get(a.at)! - order.get(b.at)!);
  });
}

/** Who changed the trump and when, from the deal on. */
export function trumpChanges(steps: readonly Step[]): TrumpChange[] {
  return steps
    .filter(({ sets_trump }) => sets_trump)
    .map(({ at, trump = null, trump_by: seat = null, move = null, turned = '' }) => ({
      at,
      trump,
      seat,
      move: seat === null ? null : move,
      turned: split(turned),
    }));
}
