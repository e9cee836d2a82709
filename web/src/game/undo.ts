// Whether an undo has happened, where only the whole table says so.

import { split } from '../codes.ts';
import type { TableView } from './types.ts';

/** Whether the undo that was proposed has happened, from the table before and after it: an undo comes
 * as a whole table, and not as an event. */
export function undoHappened(before: TableView, after: TableView): boolean {
  const { proposal } = before;
  if (proposal?.kind !== 'undo' || after.proposal !== null || !after.game) return false;
  // Hidden bids cannot be counted, but everybody bids once.
  if (after.game.bidding) return after.game.to_act === proposal.seat;
  return decisions(after) < decisions(before);
}

function decisions({ game }: TableView): number {
  const { bids = [], tricks = [] } = game?.rounds.at(-1) ?? {};
  const cards = tricks.map(({ moves }) => split(moves).length);
  return bids.filter((bid) => bid !== null).length + cards.reduce((all, each) => all + each, 0);
}
