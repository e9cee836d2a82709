// The fully recorded rounds of a sheet, as records of a game: docs/record.md.

import { byHand } from '../codes.ts';
import { rulesData } from './names.ts';
import {
  type Break,
  breaksOf,
  cardsOf,
  type Course,
  courseOf,
  handsOf,
  resultsOf,
} from './recording.ts';
import { type Reason, Refusal } from './refusal.ts';
import { checkPlayers, largestHand, type Rules } from './rules.ts';
import { winners } from './score.ts';
import { accounts, finishedRounds, type Sheet, type SheetRound } from './sheet.ts';
import { json } from './sheet_file.ts';

/** Consecutive rounds that make one record; their numbers count from 1. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
  /** The file. */
  readonly text: string;
}

/** A round that is in no record, and why. */
export interface LeftOut {
  readonly round: number;
  readonly why: Reason;
}

/** The records of a sheet: one for each stretch of rounds with the same players in the same seats,
 * the deal passing to the left; and the finished rounds that are left out. */
export function recordsOf(sheet: Sheet): { stretches: Stretch[]; left: LeftOut[] } {
  const left: LeftOut[] = [];
  const stretches: Whole[][] = [];
  finishedRounds(sheet).forEach((round, index) => {
    const course = wholeCourse(sheet, round);
    if ('code' in course) {
      left.push({ round: index + 1, why: course });
      return;
    }
    const whole = { index, round, course };
    const last = stretches.at(-1)?.at(-1);
    if (last && follows(last, whole)) stretches.at(-1)!.push(whole);
    else stretches.push([whole]);
  });
  return { stretches: stretches.map((rounds) => stretchOf(sheet, rounds)), left };
}

/** A fully recorded round, by its index in the sheet. */
interface Whole {
  readonly index: number;
  readonly round: SheetRound;
  readonly course: Course;
}

function follows({ index, round }: Whole, next: Whole): boolean {
  const { seats, dealer } = next.round;
  const due = round.seats[(round.seats.indexOf(round.dealer) + 1) % round.seats.length];
  return next.index === index + 1 && seats.join() === round.seats.join() && dealer === due;
}

/** The course of a finished round, or why no record can hold it. */
function wholeCourse(sheet: Sheet, round: SheetRound): Course | Reason {
  const { rules, players } = sheet;
  const cards = cardsOf(rules, round);
  if (!cards) return { code: 'page.record.left.none' };
  try {
    checkPlayers({ ...rules, schedule: [round.hand_size] }, round.seats.length);
  } catch (error) {
    if (error instanceof Refusal) return error.reason; // only real cards are enough for so many
    throw error;
  }
  const course = courseOf(rules, round, cards);
  if (course.asks) return { code: 'page.record.left.missing' };
  const [broken] = breaksOf(rules, course);
  const cast = round.seats.map((seat) => players[seat]!);
  if (broken) return breakReason(broken, { cast, edition: rules.edition });
  const { won, bonus, mad } = resultsOf(course, round.seats.length);
  const agree = json([won, bonus, mad]) === json([round.won, round.bonus, round.mad]);
  return agree ? course : { code: 'page.record.left.differs' };
}

/** In a sentence: who played which card, and why that breaks a rule. */
export function breakReason(
  { played, why }: Break,
  telling: { readonly cast: readonly string[]; readonly edition: string },
): Reason {
  const { place, trick, move } = played;
  const params = { ...why.params, ...telling, player: place, card: move, trick: trick + 1 };
  if (why.code === 'refuse.follow') return { code: 'page.record.revoke', params };
  if (why.code === 'refuse.follow_wild') return { code: 'page.record.revoke_wild', params };
  return { code: 'page.record.break', params: { ...params, why } };
}

function stretchOf(sheet: Sheet, rounds: readonly Whole[]): Stretch {
  const [first, last] = [rounds[0]!.index, rounds.at(-1)!.index];
  const { seats } = rounds[0]!.round;
  const { started } = sheet.extra;
  const sides = rounds.map(({ round }) => accounts(sheet, round));
  const sum = (of: (points: (typeof sides)[number][number]) => number) =>
    sides[0]!.map((_, side) => sides.reduce((all, each) => all + of(each[side]!), 0));
  const scores = sum(({ points }) => points);
  const met = sum((each) => Number(each.met));
  const ends = last + 1 === sheet.rules.schedule.length;
  const record = {
    format: 'rage-game',
    version: 1,
    rules: rulesData(rulesOf(sheet.rules, rounds, seats.length)),
    players: seats.map((seat) => sheet.players[seat]!),
    ...(first ? { first_round: first + 1 } : {}),
    ...(typeof started === 'string' ? { started } : {}),
    rounds: rounds.map((each) => roundData(sheet, each)),
    scores,
    ...(ends ? { winners: winners(sheet.rules, scores, met) } : {}),
  };
  return { first: first + 1, last: last + 1, text: written(record) };
}

/** The rules, with the hand sizes of these rounds in the schedule, and no other hand larger than
 * that many players allow. */
function rulesOf(rules: Rules, rounds: readonly Whole[], players: number): Rules {
  const most = largestHand(rules, players);
  const schedule = rules.schedule.map((size, index) => {
    const dealt = rounds.find((each) => each.index === index);
    return dealt?.round.hand_size ?? Math.min(size, most);
  });
  return { ...rules, schedule };
}

function roundData(sheet: Sheet, { round, course }: Whole): Record<string, unknown> {
  const { seats, dealer, bids, won } = round;
  const cards = cardsOf(sheet.rules, round)!;
  return {
    dealer: seats.indexOf(dealer),
    hands: handsOf(course, seats.length).map((hand) => hand.sort(byHand).join(' ')),
    stock: cards.turned.flat().join(' '),
    bids,
    tricks: course.tricks.map(({ moves }) => moves.join(' ')),
    won,
    points: accounts(sheet, round).map(({ points }) => points),
  };
}

/** The text of a record: the same bytes that Python writes. */
function written(record: object): string {
  const object = (fields: object, indent: string): string => {
    const lines = Object.entries(fields).map(
      ([name, value]) =>
        `${indent}  ${json(name)}: ${name === 'rounds' ? list(value) : json(value)}`,
    );
    return `{\n${lines.join(',\n')}\n${indent}}`;
  };
  const list = (rounds: readonly object[]) =>
    `[\n${rounds.map((each) => `    ${object(each, '    ')}`).join(',\n')}\n  ]`;
  return `${object(record, '')}\n`;
}
