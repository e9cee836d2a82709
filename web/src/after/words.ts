// Names of moments.

import { t } from '../say.ts';
import type { Moment, Replay } from './replay.ts';

/** A moment in words: "Round 7, trick 2, card 1". */
export function momentName(replay: Replay, { at }: Moment): string {
  const [round, trick, card] = at.split('.').map(Number);
  if (trick) return t('page.after.moment.card', { round, trick, card });
  if (card) return t('page.after.moment.bid', { round, n: card, of: replay.players.length });
  return t('page.after.moment.deal', { round });
}
