// Other rules and names for a game that has begun.

import type { Rules } from '../offline/names';
import { beginRound, checkSheet, hasEnded, type Sheet, type SheetRound } from '../offline/sheet';
import { beginNext, withoutEnd } from './book.svelte';
import { hasCards, isUntouched, withNoCards } from './entering';
import type { Game } from './storage';

type Changed = Pick<Game, 'sheet' | 'entry'>;

/** The game with other names and rules, every round added up again. Throws a `Refusal` if the rules
 * do not allow a round. */
export function amend(game: Game, rules: Rules, players: readonly string[]): Changed {
  const { sheet, entry } = game;
  const stopped = sheet.stopped && sheet.rounds.length < rules.schedule.length;
  const changed = checkSheet({ ...sheet, rules, players, stopped });
  if (entry) return withEntry(changed, entry);
  return hasEnded(changed) ? { sheet: changed, entry } : beginNext(withoutEnd(changed));
}

/** The same with the round under way, as far as the rules allow. */
function withEntry(sheet: Sheet, entry: SheetRound): Changed {
  const { seats, dealer, bids, hand_size } = entry;
  if (isUntouched(entry)) {
    const next = beginNext(sheet, { seats, dealer });
    return next.entry && hasCards(entry) ? { ...next, entry: withNoCards(next.entry) } : next;
  }
  const fresh = beginRound(sheet, { seats, dealer, hand_size }).rounds.at(-1)!;
  checkSheet({ ...sheet, rounds: [...sheet.rounds, { ...fresh, bids }] });
  return { sheet, entry };
}
