// The winner of a trick and why: docs/rules.md, "Winning a trick". The reasons come from
// src/rage/game/rulings.py.

import { type Colour, colourOf } from '../codes.ts';
import { ledColour } from './allowed.ts';
import { rankOf, setsLed } from './cards.ts';
import type { Reason } from './refusal.ts';
import type { Settings } from './rules.ts';

type Judging = Pick<Settings, 'change' | 'second_wild'>;

/** The trump in force, and the seat whose Change or Out set it; `null` if it was turned up. */
export interface Trump {
  readonly colour: Colour | null;
  readonly by: number | null;
}

/** A trick on the table: who led, the moves in order, and the trump at its start. */
export interface Trick {
  readonly players: number;
  readonly leader: number;
  readonly moves: readonly string[];
  readonly trump: Trump;
  /** The colours turned up by its Changes, in order, under rules in which a Change turns one up. */
  readonly turned?: readonly (Colour | null)[];
}

/** The outcome of a trick. `trump` is the one it is judged by, `set` the card that set it within
 * this trick. For an unfinished trick, the outcome if no more cards came. */
export interface Verdict {
  readonly winner: number;
  readonly led: Colour | null;
  readonly trump: Trump;
  readonly set: 'change' | 'out' | null;
  readonly bonus: number;
  readonly mad: number;
  readonly ruling: Reason;
}

/** The winner of a trick of at least one card, and why. */
export function judge(rules: Judging, trick: Trick): Verdict {
  const { players, leader, moves } = trick;
  const { trump, set } = lastTrump(rules, trick);
  const led = ledColour(moves);
  const at = highest(rules, moves, led, trump.colour);
  const winner = (leader + at) % players;
  return {
    winner,
    led,
    trump,
    set,
    bonus: moves.filter((move) => move === '+').length,
    mad: moves.filter((move) => move === '-').length,
    ruling: ruling(rules, moves, { winner, card: moves[at]! }, trump, set),
  };
}

/** The trump by which a trick is judged, after its Changes and Outs. */
function lastTrump(rules: Judging, trick: Trick): Pick<Verdict, 'trump' | 'set'> {
  const turned = [...(trick.turned ?? [])];
  let { trump } = trick;
  let set: Verdict['set'] = null;
  trick.moves.forEach((move, i) => {
    if (move[0] !== 'C' && move !== 'X') return;
    const named = rules.change === 'reveal' ? turned : [colourOf(move)];
    const colour = move === 'X' ? null : (named.shift() ?? null);
    if (colour === trump.colour) return; // a second Out or turning up the same colour sets nothing
    trump = { colour, by: (trick.leader + i) % trick.players };
    set = move === 'X' ? 'out' : 'change';
  });
  return { trump, set };
}

/** The index of the winning card. */
function highest(
  rules: Judging,
  moves: readonly string[],
  led: Colour | null,
  trump: Colour | null,
): number {
  const worth = moves.map((move) => {
    if (!setsLed(move)) return -1;
    const colour = colourOf(move);
    return rankOf(move) + (colour === led ? 32 : 0) + (colour === trump ? 64 : 0);
  });
  const most = Math.max(...worth);
  // Only Wilds of one colour can tie, or action cards in a trick without others.
  const last = most >= 0 && rules.second_wild === 'higher';
  return last ? worth.lastIndexOf(most) : worth.indexOf(most);
}

function ruling(
  rules: Judging,
  moves: readonly string[],
  won: { readonly winner: number; readonly card: string },
  trump: Trump,
  set: Verdict['set'],
): Reason {
  if (!moves.some(setsLed)) return { code: 'trick.only_actions', params: won };
  const colour = colourOf(won.card)!;
  const n = moves.filter((move) => setsLed(move) && colourOf(move) === colour).length;
  const params = { ...won, colour, n };
  const main = mainReason(params, trump, set);
  if (moves.filter((move) => move === `W${colour}`).length < 2) return main;
  const code = rules.second_wild === 'lower' ? 'trick.wilds_lower' : 'trick.wilds_higher';
  const note = { code, params: { wild: 'W', colour } };
  return { code: 'trick.with_note', params: { main, note } };
}

function mainReason(
  params: { readonly colour: Colour },
  trump: Trump,
  set: Verdict['set'],
): Reason {
  const { by } = trump;
  if (params.colour === trump.colour) {
    if (set !== 'change') return { code: 'trick.trump', params };
    return { code: 'trick.trump_changed', params: { ...params, by, change: 'C' } };
  }
  if (trump.colour === null) {
    if (set !== 'out') return { code: 'trick.led_no_trump', params };
    return { code: 'trick.led_out', params: { ...params, by, out: 'X' } };
  }
  return { code: 'trick.led', params: { ...params, trump: trump.colour } };
}
