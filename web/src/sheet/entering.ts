// The next question while a round is entered, and the entries that follow from others.

import type { Snippet } from 'svelte';
import { Refusal } from '../offline/refusal.ts';
import {
  allBid,
  checkSheet,
  isOver,
  type Sheet,
  type SheetRound,
  total,
} from '../offline/sheet.ts';

/** One entry of a round: what it is, and the place of its seat. */
export interface Slot {
  readonly what: 'bids' | 'won';
  readonly place: number;
}

/** The bids of a round that players make on their own phones, by the place of the seat. */
export interface Apart {
  /** Whether the bids are hidden from other players now. */
  readonly hidden: boolean;
  /** Who has bid. */
  readonly made: readonly boolean[];
  /** For whom a phone bids. */
  readonly phone: readonly boolean[];
}

/** The properties of the two ways to enter a round: number by number, and card by card. */
export interface EntryProps {
  sheet: Sheet;
  round: SheetRound;
  onchange: (round: SheetRound) => void;
  onsave: () => void;
  save: string;
  /** Whether it is being corrected: then there is no next entry. */
  correcting?: boolean;
  /** The bids that players make on their own phones. */
  apart?: Apart | null;
  /** The buttons at the foot of the pad; `back` takes a touch back, if one chose what is asked. */
  tools?: Snippet<[back?: (() => void) | null]>;
}

/** The round without hidden bids. */
export function visibleRound(round: SheetRound, apart: Apart | null): SheetRound {
  return apart?.hidden ? { ...round, bids: round.bids.map(() => null) } : round;
}

/** The places of a round in bidding order: from the dealer's left. */
export function order({ seats, dealer }: Pick<SheetRound, 'seats' | 'dealer'>): number[] {
  const first = seats.indexOf(dealer) + 1;
  return seats.map((_, at) => (first + at) % seats.length);
}

/** The places that have not bid yet, in bidding order. */
export function unbid(round: SheetRound, apart: Apart | null): number[] {
  return order(round).filter((at) => round.bids[at] === null && !apart?.made[at]);
}

/** The next missing entry: first all bids, then the tricks won; `null` if none is missing, or the
 * next bid comes from a phone. */
export function nextSlot(round: SheetRound, apart: Apart | null = null): Slot | null {
  const left = unbid(round, apart);
  if (left.length) {
    const here = apart?.hidden ? left : left.slice(0, 1);
    const place = here.find((at) => !apart?.phone[at]);
    return place === undefined ? null : { what: 'bids', place };
  }
  const place = order(round).find((at) => round.won[at] === null);
  return place === undefined ? null : { what: 'won', place };
}

/** The round with an entry made. */
export function enter(round: SheetRound, { what, place }: Slot, n: number): SheetRound {
  return { ...round, [what]: round[what].map((each, at) => (at === place ? n : each)) };
}

/** How many tricks are left for the player at a place. */
export function leftFor({ won, hand_size }: SheetRound, place: number): number {
  return hand_size - total(won.filter((_, at) => at !== place));
}

/** The round with the tricks that follow: a single missing number is the rest, and once no tricks
 * are left, the others have none. While bids are missing, so are all tricks. */
export function fillTricks(round: SheetRound, apart: Apart | null = null): SheetRound {
  const { won, hand_size } = round;
  if (unbid(round, apart).length) return { ...round, won: won.map(() => null) };
  const missing = won.filter((each) => each === null).length;
  const left = hand_size - total(won);
  if (!missing || left < 0 || (missing > 1 && left > 0)) return round;
  return { ...round, won: won.map((each) => each ?? left) };
}

/** The round as if all bids were known, to check the rest of it. */
export function assumeBids(round: SheetRound): SheetRound {
  return allBid(round) ? round : { ...round, bids: round.bids.map((bid) => bid ?? 0) };
}

/** The sum of all bids minus the number of tricks: positive if too many are bid. */
export function over({ bids, hand_size }: SheetRound): number {
  return total(bids) - hand_size;
}

/** Whether nothing has been entered for a round yet. */
export function isUntouched({ bids, extra }: SheetRound): boolean {
  const turned = extra?.['turned'];
  return bids.every((bid) => bid === null) && !(Array.isArray(turned) && turned.length);
}

/** Whether a round is recorded with its cards (offline/recording.ts). */
export function hasCards({ extra }: Pick<SheetRound, 'extra'>): boolean {
  return Array.isArray(extra?.['tricks']);
}

/** The round, to be recorded with its cards, none of which has been entered yet. */
export function withNoCards(round: SheetRound): SheetRound {
  return { ...round, extra: { ...round.extra, turned: [], tricks: [] } };
}

/** The sheet with the entries so far, as files and links have it; tricks and cards only if they can
 * be right. */
export function wholeSheet({ sheet, entry }: { sheet: Sheet; entry: SheetRound | null }): Sheet {
  if (!entry || isUntouched(entry)) return sheet;
  return sheetWith(sheet, entry);
}

/** The same, even if nothing has been entered for the round yet. */
export function sheetWith(sheet: Sheet, entry: SheetRound | null): Sheet {
  if (!entry) return sheet;
  const open = {
    ...entry,
    won: entry.won.map(() => null),
    bonus: entry.bonus.map(() => 0),
    mad: entry.mad.map(() => 0),
  };
  const empty = { ...open, bids: entry.bids.map(() => null) };
  for (const round of isOver(entry) ? [open, empty] : [entry, open, empty]) {
    try {
      return checkSheet({ ...sheet, rounds: [...sheet.rounds, round] });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return sheet;
}
