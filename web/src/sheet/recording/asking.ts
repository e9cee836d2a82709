// The next question while a round is recorded with its cards, or one of them is corrected.

import type { Colour } from '../../codes.ts';
import { ledColour } from '../../offline/allowed.ts';
import { type Cards, type Course, turnUps } from '../../offline/recording.ts';
import type { Reason } from '../../offline/refusal.ts';
import type { Rules } from '../../offline/rules.ts';
import type { SheetRound } from '../../offline/sheet.ts';

/** What is corrected: a played card, by the index of its play; a missing card before it; or a card
 * that was turned over, by its place in a turn-up. */
export type Mending =
  | { readonly what: 'card' | 'before'; readonly at: number }
  | { readonly what: 'turned'; readonly turnUp: number; readonly at: number };

/** The question for the next card. */
export interface Asking {
  readonly question: Reason;
  /** The action cards that need a colour. */
  readonly coloured: string;
  /** The colour that the card probably has. */
  readonly likely: Colour | null;
  /** The colour that a Change cannot name. */
  readonly barred: Colour | null;
  /** The card that the new one replaces. */
  readonly instead: string | null;
}

interface Recorded {
  readonly rules: Rules;
  readonly round: SheetRound;
  readonly cards: Cards;
  readonly course: Course;
}

const TURNED = { coloured: '', likely: null, barred: null };

/** The question for a round, or for a correction; `null` once the round is over. */
export function asking(recorded: Recorded, mending: Mending | null): Asking | null {
  const { cards, course } = recorded;
  if (mending?.what === 'turned') {
    const card = cards.turned[mending.turnUp]![mending.at]!;
    return {
      ...TURNED,
      question: { code: 'page.record.mend.turned', params: { card } },
      instead: card,
    };
  }
  if (mending) return askingAgain(recorded, mending.at, mending.what === 'before');
  if (course.asks === null) return null;
  if (course.asks.what === 'card') return askingCard(recorded, course.asks.place);
  return { ...TURNED, question: askedTurned(recorded, course.asks.turnUp), instead: null };
}

/** The action cards that need a colour when they are played. */
const coloured = ({ change }: Rules) => (change === 'choose' ? 'WC' : 'W');

function askingAgain({ rules, course }: Recorded, at: number, missing: boolean): Asking {
  const { move, place, trick, before, trump } = course.played[at]!;
  const params = { player: place, card: move, trick: trick + 1 };
  return {
    question: { code: missing ? 'page.record.mend.before' : 'page.record.mend.card', params },
    coloured: coloured(rules),
    likely: ledColour(before),
    barred: trump,
    instead: missing ? null : move,
  };
}

function askingCard({ rules, course }: Recorded, place: number): Asking {
  const last = course.tricks.at(-1);
  const leads = !last || last.verdict !== null;
  return {
    question: {
      code: leads ? 'page.record.ask.lead' : 'page.record.ask.card',
      params: { player: place },
    },
    coloured: coloured(rules),
    likely: leads ? null : ledColour(last.moves),
    barred: course.trump.colour,
    instead: null,
  };
}

/** The question for the next card turned over, in a turn-up by its index. */
function askedTurned({ rules, round, cards, course }: Recorded, turnUp: number): Reason {
  if (cards.turned[turnUp]?.length) return { code: 'page.record.ask.more' };
  const by = turnUps(rules, round, cards.plays)[turnUp]!.by;
  if (by < 0) return { code: 'page.record.ask.turned' };
  const { place, move } = course.played[by]!;
  const code = move === 'X' ? 'page.record.ask.out' : 'page.record.ask.change';
  return { code, params: { player: place, card: move } };
}
