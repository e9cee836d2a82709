// Other rules and names for a game that has begun.

import type { Rules } from '../offline/names';
import { beginRound, checkSheet, hasEnded, type Sheet, type SheetRound } from '../offline/sheet';
import { begun, unended } from './book.svelte';
import { isUntouched } from './entering';
import type { Game } from './kept';

type Changed = Pick<Game, 'sheet' | 'entry'>;

/** The game by other rules, by which every round is added up again, and with other names. Throws a
 * `Refusal` where a round could not have been played so. */
export function amended(game: Game, rules: Rules, players: readonly string[]): Changed {
  const { sheet, entry, recording } = game;
  const stopped = sheet.stopped && sheet.rounds.length < rules.schedule.length;
  const changed = checkSheet({ ...sheet, rules, players, stopped });
  if (entry) return withEntry(changed, entry, recording);
  return hasEnded(changed) ? { sheet: changed, entry } : begun(unended(changed), recording);
}

/** The same with the round under way, as far as the rules allow it. */
function withEntry(sheet: Sheet, entry: SheetRound, recording: boolean): Changed {
  const { seats, dealer, bids, hand_size } = entry;
  if (isUntouched(entry)) return begun(sheet, recording, { seats, dealer });
  const fresh = beginRound(sheet, { seats, dealer, hand_size }).rounds.at(-1)!;
  checkSheet({ ...sheet, rounds: [...sheet.rounds, { ...fresh, bids }] });
  return { sheet, entry };
}
