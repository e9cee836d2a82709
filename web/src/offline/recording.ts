// A round of a game with real cards, recorded card by card. The cards turned over and played
// determine whose turn it is, the trump, who wins each trick and, at the end, who held what:
// docs/rules.md. How a sheet writes them is in docs/score.md.

import { cardOf, type Colour, colourOf, isColoured, split } from '../codes.ts';
import { refusedCard } from './allowed.ts';
import { pack } from './cards.ts';
import { isListOf, isText } from './fields.ts';
import type { Reason } from './refusal.ts';
import type { Rules } from './rules.ts';
import type { SheetRound } from './sheet.ts';
import { judge, type Trump, type Verdict } from './trick.ts';

/** The cards of a round, as far as they have been entered. */
export interface Cards {
  /** By turn-up, the cards turned over: any action cards, and then the coloured one. */
  readonly turned: readonly (readonly string[])[];
  /** The cards played, as moves, in order. */
  readonly plays: readonly string[];
}

/** What must be known of a round in addition to its cards. */
type Dealt = Pick<SheetRound, 'seats' | 'hand_size' | 'dealer'>;

const CARD = /^(?:[ROYGBP](?:\d|1[0-5])|[WCX+-])$/;
const MOVE = /^(?:[ROYGBP](?:\d|1[0-5])|[WC][ROYGBP]?|[X+-])$/;

// --- as a sheet has them ---------------------------------------------------------------------

/** The cards in a round of a sheet; `null` if it has none, or they cannot be a round's. */
export function cardsOf(rules: Rules, round: SheetRound): Cards | null {
  const { turned, tricks } = round.extra ?? {};
  if (!isTexts(turned) || !isTexts(tricks)) return null;
  const cards = { turned: turned.map(split), plays: tricks.flatMap(split) };
  return canBe(rules, round, cards) ? cards : null;
}

const isTexts = isListOf(isText);

function canBe(rules: Rules, round: Dealt, cards: Cards): boolean {
  const { turned, plays } = cards;
  return (
    plays.length <= round.seats.length * round.hand_size &&
    plays.every((move) => MOVE.test(move)) &&
    turned.length <= turnUps(rules, round, plays).length &&
    turned.flat().every((card) => CARD.test(card)) &&
    turned.every((each) => !each.slice(0, -1).some(isColoured)) &&
    [...cardsLeft(rules, cards).values()].every((count) => count >= 0)
  );
}

/** A round with these cards; once all are there, with the results that follow. */
export function withCards(rules: Rules, round: SheetRound, cards: Cards): SheetRound {
  const { seats } = round;
  const course = courseOf(rules, round, cards);
  const results = !course.asks
    ? resultsOf(course, seats.length)
    : { won: seats.map(() => null), bonus: seats.map(() => 0), mad: seats.map(() => 0) };
  const turned = cards.turned.map((each) => each.join(' '));
  const tricks = inTricks(cards.plays, seats.length).map((each) => each.join(' '));
  return { ...round, ...results, extra: { ...round.extra, turned, tricks } };
}

/** A round without its cards: the results that follow from them stay. */
export function withoutCards(round: SheetRound): SheetRound {
  const { turned: _, tricks: __, ...extra } = round.extra ?? {};
  return { ...round, extra };
}

export function inTricks(plays: readonly string[], players: number): string[][] {
  return Array.from({ length: Math.ceil(plays.length / players) }, (_, trick) =>
    plays.slice(trick * players, (trick + 1) * players),
  );
}

// --- what can still come ---------------------------------------------------------------------

/** How many of each card of the pack are still unseen; negative if more were entered than the pack
 * holds. */
export function cardsLeft(rules: Rules, { turned, plays }: Cards): Map<string, number> {
  const left = new Map<string, number>();
  const add = (card: string, n: number) => left.set(card, (left.get(card) ?? 0) + n);
  for (const card of pack(rules)) add(card, 1);
  for (const card of [...turned.flat(), ...plays.map(cardOf)]) add(card, -1);
  return left;
}

/** A turn-up: the index of the play that causes it, and of the one after which it happens; both are
 * -1 at the deal. For an Out, it happens after the last play of the trick. */
interface TurnUp {
  readonly by: number;
  readonly after: number;
}

/** Every turn-up among these plays, in order. */
export function turnUps(rules: Rules, round: Dealt, plays: readonly string[]): TurnUp[] {
  const players = round.seats.length;
  const found: TurnUp[] = [{ by: -1, after: -1 }];
  /** The Out after whose trick there will be no trump. */
  let out: number | null = null;
  plays.forEach((move, at) => {
    if (cardOf(move) === 'C') {
      out = null;
      if (rules.change === 'reveal') found.push({ by: at, after: at });
    } else if (move === 'X' && rules.out === 'trick') out = at;
    if ((at + 1) % players) return;
    if (out !== null && at + 1 < players * round.hand_size) found.push({ by: out, after: at });
    out = null;
  });
  return found;
}

// --- how it went -----------------------------------------------------------------------------

/** A trick with its cards in order; without a verdict while cards are missing. */
export interface RecordedTrick {
  readonly leader: number;
  readonly moves: readonly string[];
  readonly verdict: Verdict | null;
}

/** A played card: its trick, the place of its player, and what was in the trick before it. */
export interface PlayedCard {
  readonly trick: number;
  readonly place: number;
  readonly move: string;
  readonly before: readonly string[];
  readonly trump: Colour | null;
}

/** The next entry: one more card turned over, in a turn-up by its index; or a player's card. */
export type NextEntry =
  | { readonly what: 'turned'; readonly turnUp: number }
  | { readonly what: 'card'; readonly place: number };

/** How a round went, as far as that is certain. */
export interface Course {
  readonly tricks: readonly RecordedTrick[];
  readonly played: readonly PlayedCard[];
  /** The trump now. */
  readonly trump: Trump;
  /** `null`: the round is over. */
  readonly asks: NextEntry | null;
}

/** How a round went, as far as nothing is missing. */
export function courseOf(rules: Rules, round: Dealt, cards: Cards): Course {
  const walk = new Walk(rules, round, cards);
  const whole = walk.turnUp(-1) && cards.plays.every((move) => walk.play(move));
  const { tricks, played, trump, turnedUp } = walk;
  return {
    tricks,
    played,
    trump,
    asks: whole ? walk.next() : { what: 'turned', turnUp: turnedUp },
  };
}

interface OpenTrick extends RecordedTrick {
  moves: string[];
  verdict: Verdict | null;
  readonly start: Trump;
  readonly turned: Colour[];
}

/** Goes through a round card by card. */
class Walk {
  readonly tricks: OpenTrick[] = [];
  readonly played: PlayedCard[] = [];
  trump: Trump = { colour: null, by: null };
  /** How often a trump was turned up. */
  turnedUp = 0;
  readonly #rules: Rules;
  readonly #round: Dealt;
  readonly #turned: Cards['turned'];
  readonly #due: readonly TurnUp[];

  constructor(rules: Rules, round: Dealt, { turned, plays }: Cards) {
    this.#rules = rules;
    this.#round = round;
    this.#turned = turned;
    this.#due = turnUps(rules, round, plays);
  }

  /** Turn up a trump if one is due after a play, by index; `false` if it was not entered. */
  turnUp(after: number): boolean {
    if (this.#due[this.turnedUp]?.after !== after) return true;
    const last = this.#turned[this.turnedUp]?.at(-1) ?? '';
    if (!isColoured(last)) return false;
    this.turnedUp += 1;
    this.trump = { colour: colourOf(last), by: null };
    return true;
  }

  /** Plays a card. Returns `false` if nothing after it can be known. */
  play(move: string): boolean {
    const { seats } = this.#round;
    const trick = this.#open();
    const place = (trick.leader + trick.moves.length) % seats.length;
    const before = [...trick.moves];
    const { colour } = this.trump;
    this.played.push({ trick: this.tricks.length - 1, place, move, before, trump: colour });
    trick.moves.push(move);
    const at = this.played.length - 1;
    if (cardOf(move) === 'C' && this.#rules.change === 'reveal') {
      if (!this.turnUp(at)) return false;
      trick.turned.push(this.trump.colour!);
    }
    const full = trick.moves.length === seats.length;
    if (!full && !/^[CX]/.test(move)) return true; // the trump is as it was
    const verdict = this.#judge(trick);
    this.trump = verdict.trump;
    if (!full) return true;
    trick.verdict = verdict;
    return this.turnUp(at);
  }

  /** Whose card is next; `null` once all cards are played. */
  next(): NextEntry | null {
    const { seats, hand_size } = this.#round;
    if (this.played.length === seats.length * hand_size) return null;
    const last = this.tricks.at(-1);
    if (!last || last.verdict) return { what: 'card', place: this.#leader() };
    return { what: 'card', place: (last.leader + last.moves.length) % seats.length };
  }

  /** The trick to which the next card belongs. */
  #open(): OpenTrick {
    const last = this.tricks.at(-1);
    if (last && !last.verdict) return last;
    const fresh = { moves: [], verdict: null, start: this.trump, turned: [] };
    this.tricks.push({ leader: this.#leader(), ...fresh });
    return this.tricks.at(-1)!;
  }

  #leader(): number {
    const { seats, dealer } = this.#round;
    return this.tricks.at(-1)?.verdict?.winner ?? (seats.indexOf(dealer) + 1) % seats.length;
  }

  #judge({ leader, moves, start, turned }: OpenTrick): Verdict {
    const players = this.#round.seats.length;
    return judge(this.#rules, { players, leader, moves, trump: start, turned });
  }
}

/** The tricks, Bonus and Mad cards that each player has won, by place. */
export function resultsOf(
  { tricks }: Course,
  players: number,
): { won: number[]; bonus: number[]; mad: number[] } {
  const nobody = () => Array.from({ length: players }, () => 0);
  const sums = { won: nobody(), bonus: nobody(), mad: nobody() };
  for (const { verdict } of tricks) {
    if (!verdict) continue;
    sums.won[verdict.winner]! += 1;
    sums.bonus[verdict.winner]! += verdict.bonus;
    sums.mad[verdict.winner]! += verdict.mad;
  }
  return sums;
}

/** The cards each player has played, by place: at the end of the round, the hands as dealt. */
export function handsOf({ played }: Pick<Course, 'played'>, players: number): string[][] {
  return Array.from({ length: players }, (_, place) =>
    played.filter((each) => each.place === place).map(({ move }) => cardOf(move)),
  );
}

/** A card played against the rules, and why, as far as later cards of the player show the hand. */
export interface Break {
  /** The index of the play. */
  readonly at: number;
  readonly played: PlayedCard;
  readonly why: Reason;
}

/** Every card that breaks a rule, in order. */
export function breaksOf(rules: Rules, { played }: Pick<Course, 'played'>): Break[] {
  return played.flatMap((each, at) => {
    const { move, before, trump, place } = each;
    const held = played.slice(at).filter((one) => one.place === place);
    const hand = held.map((one) => cardOf(one.move));
    const refused = refusedCard(rules, { hand, trick: before, trump }, move);
    // Which other cards were allowed no longer matters.
    const also = refused?.code === 'refuse.follow_anytime';
    const why = also ? (refused.params!.why as Reason) : refused;
    return why ? [{ at, played: each, why }] : [];
  });
}

// --- corrections -----------------------------------------------------------------------------

/** The cards with `out` plays from `at` on replaced by `moves`. Cards turned over by a play that
 * stays are kept. */
export function replacePlays(
  rules: Rules,
  round: Dealt,
  { turned, plays }: Cards,
  at: number,
  out: number,
  ...moves: readonly string[]
): Cards {
  const kept = new Map<number, readonly string[]>();
  turnUps(rules, round, plays).forEach(({ by }, index) => {
    const now = by < at + out ? by : by + moves.length - out;
    const stays = by < at || by >= at + out || cardOf(moves[by - at] ?? '') === plays[by]![0];
    if (stays) kept.set(now, turned[index] ?? []);
  });
  const next = [...plays.slice(0, at), ...moves, ...plays.slice(at + out)];
  const listed = turnUps(rules, round, next).map(({ by }) => kept.get(by) ?? []);
  while (listed.length && !listed.at(-1)!.length) listed.pop();
  return { turned: listed, plays: next };
}

/** The cards with one turned over at a place in a turn-up. Later ones stay only after an action
 * card. */
export function turnedOver(
  { turned, plays }: Cards,
  turnUp: number,
  at: number,
  card: string,
): Cards {
  const before = turned[turnUp] ?? [];
  const now = [...before.slice(0, at), card, ...(isColoured(card) ? [] : before.slice(at + 1))];
  const lists = Array.from({ length: Math.max(turned.length, turnUp + 1) }, (_, each) =>
    each === turnUp ? now : (turned[each] ?? []),
  );
  return { turned: lists, plays };
}
