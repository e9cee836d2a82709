// The trick judge: who wins a trick, and whether a card may be played, by each printed edition.

import { cardOf, type Colour, colourOf } from '../codes.ts';
import { refusedCard, refusedChange } from '../offline/allowed.ts';
import { pack } from '../offline/cards.ts';
import { EDITIONS, LIMITS } from '../offline/rules.ts';
import type { Reason } from '../offline/refusal.ts';
import { judge } from '../offline/trick.ts';

/** A ruling shared by some editions. */
export interface Ruling {
  readonly editions: readonly string[];
  /** The index of the winning card; `null` if the trick breaks the rules. */
  readonly winner: number | null;
  /** Why it wins, or which rule is broken. */
  readonly reason: Reason;
}

/** A trick as tapped in: the cards in the order played, and the trump before it. `CB` is a Change
 * after which blue is trump, named or turned up. */
export interface Tapped {
  readonly moves: readonly string[];
  readonly trump: Colour | null;
}

/** The winner by each edition; editions that agree are grouped, the given one first. */
export function rulingsOf(tapped: Tapped, edition: string): Ruling[] {
  const found: Ruling[] = [];
  for (const each of ordered(edition)) {
    const ruling = rulingOf(tapped, each);
    const alike = found.findIndex((one) => one.winner === ruling.winner);
    if (alike < 0) found.push(ruling);
    else found[alike] = { ...found[alike]!, editions: [...found[alike]!.editions, each] };
  }
  return found;
}

function rulingOf({ moves, trump }: Tapped, edition: string): Ruling {
  const rules = EDITIONS[edition]!;
  const editions = [edition];
  const broken = rules.change === 'choose' ? namedInForce({ moves, trump }) : null;
  if (broken) return { editions, winner: null, reason: broken };
  const turned = moves.filter((move) => cardOf(move) === 'C').map((move) => colourOf(move));
  const players = moves.length;
  const trick = { players, leader: 0, moves, trump: { colour: trump, by: null }, turned };
  const { winner, ruling } = judge(rules, trick);
  return { editions, winner, reason: ruling };
}

/** Why a Change in a trick cannot name its colour; `null` if all can. */
function namedInForce({ moves, trump }: Tapped): Reason | null {
  for (const [at, move] of moves.entries()) {
    const now = { trump: trumpNow({ moves: moves.slice(0, at), trump }) };
    const reason = refusedChange({ change: 'choose' }, now, move);
    if (reason) return reason;
  }
  return null;
}

function ordered(edition: string): string[] {
  return [edition, ...Object.keys(EDITIONS).filter((each) => each !== edition)];
}

/** Why a card in a hand cannot be played by the rules of an edition; `null` if it can. `anytime` is
 * the variant that allows action cards at any time. A Change needs no colour yet. */
export function refusalOf(
  { moves, trump }: Tapped,
  hand: readonly string[],
  card: string,
  edition: string,
  anytime: boolean,
): Reason | null {
  const most = LIMITS.real_players;
  if (moves.length >= most) return { code: 'judge.full', params: { players: most } };
  const rules = { change: 'reveal', anytime_actions: anytime } as const;
  const now = { hand: hand.map(cardOf), trick: moves, trump: trumpNow({ moves, trump }) };
  const reason = refusedCard(rules, now, cardOf(card));
  return reason && { ...reason, params: { ...reason.params, edition } };
}

/** The trump after the cards of a trick. */
function trumpNow({ moves, trump }: Tapped): Colour | null {
  return moves.reduce<Colour | null>((now, move) => {
    if (move === 'X') return null;
    return cardOf(move) === 'C' ? colourOf(move) : now;
  }, trump);
}

/** Whether the pack of an edition has another copy of a card in addition to these. */
export function isLeft(card: string, others: readonly string[], edition: string): boolean {
  const count = (cards: readonly string[]) =>
    cards.filter((each) => cardOf(each) === cardOf(card)).length;
  return count(others) < count(pack(EDITIONS[edition]!));
}
