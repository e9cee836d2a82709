// What is asked for next while a round is entered, and what follows from what has been.

import { allBid, type SheetRound, total } from '../offline/sheet.ts';

/** One entry of a round: what it is, and the place of its seat. */
export interface Slot {
  readonly what: 'bids' | 'won';
  readonly place: number;
}

/** The places of a round in the order in which they bid: from the dealer's left. */
export function order({ seats, dealer }: Pick<SheetRound, 'seats' | 'dealer'>): number[] {
  const first = seats.indexOf(dealer) + 1;
  return seats.map((_, at) => (first + at) % seats.length);
}

/** The next entry that is missing: first all bids, then the tricks won. */
export function nextSlot(round: SheetRound): Slot | null {
  for (const what of ['bids', 'won'] as const) {
    const place = order(round).find((at) => round[what][at] === null);
    if (place !== undefined) return { what, place };
  }
  return null;
}

/** The round with an entry made. */
export function entered(round: SheetRound, { what, place }: Slot, n: number): SheetRound {
  return { ...round, [what]: round[what].map((each, at) => (at === place ? n : each)) };
}

/** How many tricks are left to give out to others than the player at a place. */
export function leftFor({ won, hand_size }: SheetRound, place: number): number {
  return hand_size - total(won.filter((_, at) => at !== place));
}

/** The round with the tricks that follow: when one player's are missing, the rest is theirs; when
 * none are left, nobody else has any. Bids that were taken back leave no tricks. */
export function rested(round: SheetRound): SheetRound {
  const { won, hand_size } = round;
  if (!allBid(round)) return { ...round, won: won.map(() => null) };
  const missing = won.filter((each) => each === null).length;
  const left = hand_size - total(won);
  if (!missing || left < 0 || (missing > 1 && left > 0)) return round;
  return { ...round, won: won.map((each) => each ?? left) };
}

/** The sum of the bids against the tricks, when all have bid: positive when too many are bid. */
export function over({ bids, hand_size }: SheetRound): number {
  return total(bids) - hand_size;
}
