// Whether a card may be played or a bid made, and why not: docs/rules.md, "Play" and "Bidding".
// The reasons come from src/rage/game/rulings.py.

import { cardOf, type Colour, colourOf, isColoured } from '../codes.ts';
import { setsLed, sortHand } from './cards.ts';
import type { Reason } from './refusal.ts';
import type { Settings } from './rules.ts';

/** What is needed to judge a card: the hand of the player to act, the moves played to the trick so
 * far, and the trump in force. */
export interface Moment {
  readonly hand: readonly string[];
  readonly trick: readonly string[];
  readonly trump: Colour | null;
}

type Playing = Pick<Settings, 'change' | 'anytime_actions'>;

/** The led colour of a trick, set by the first coloured card or Wild; `null` before that. */
export function ledColour(trick: readonly string[]): Colour | null {
  const setter = trick.find(setsLed);
  return setter === undefined ? null : colourOf(setter);
}

/** Why a card cannot be played now; `null` if it can. */
export function refusedCard(rules: Playing, now: Moment, move: string): Reason | null {
  const card = cardOf(move);
  const hand = sortHand(now.hand);
  if (!hand.includes(card)) {
    return { code: 'refuse.not_held', params: { card, hand: hand.join(' ') } };
  }
  return refusedFollowing(rules, now, card) ?? refusedChange(rules, now, move);
}

function refusedFollowing(rules: Playing, now: Moment, card: string): Reason | null {
  const colour = ledColour(now.trick);
  const follows = sortHand(now.hand).filter((each) => isColoured(each) && each[0] === colour);
  const fits = isColoured(card) ? card[0] === colour : rules.anytime_actions;
  if (!follows.length || fits) return null;
  const wild = !isColoured(now.trick.find(setsLed)!);
  const params = { colour, cards: follows.join(' ') };
  const why = wild
    ? { code: 'refuse.follow_wild', params: { ...params, wild: 'W' } }
    : { code: 'refuse.follow', params };
  if (rules.anytime_actions && !now.hand.every(isColoured)) {
    return { code: 'refuse.follow_anytime', params: { card, why } };
  }
  return { ...why, params: { card, ...why.params } };
}

/** Why a Change cannot be played with its colour; `null` if it can, and for other cards. */
export function refusedChange(
  rules: Pick<Playing, 'change'>,
  now: Pick<Moment, 'trump'>,
  move: string,
): Reason | null {
  if (cardOf(move) !== 'C') return null;
  const colour = colourOf(move);
  if (rules.change === 'reveal') {
    return colour && { code: 'refuse.change_turns', params: { card: 'C' } };
  }
  if (colour === null) return { code: 'refuse.change_names', params: { card: 'C' } };
  if (colour !== now.trump) return null;
  return { code: 'refuse.change_same', params: { card: 'C', colour } };
}
