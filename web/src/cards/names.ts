/** What a card is called where it is read out, not seen. */
import { cardName, t } from '../say';
import { faceOf } from './face';

/** The name of a card from its code: `red 15`, or what the edition prints on an action card, with
 * the colour called or named. */
export function nameOf(code: string, edition: string | null = null): string {
  const { colour, rank } = faceOf(code);
  if (colour && rank !== null) return t('page.card.coloured', { colour, rank });
  return cardName(code, edition);
}
