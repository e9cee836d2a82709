// The hand as it is held: which card is which, in which order, and where each lies.

import { byHand, split } from '../game/cards';

/** A card of a hand; `id` tells two of a kind apart. */
export interface Held {
  readonly id: string;
  readonly code: string;
}

/** The cards of a hand, without one that lies on the table already, sorted by colour and rank or
 * in an order of one's own. */
export function held(
  codes: string,
  without: string | null,
  order: readonly string[] | null,
): Held[] {
  const cards = split(codes);
  const at = without === null ? -1 : cards.indexOf(without);
  if (at >= 0) cards.splice(at, 1);
  const seen = new Map<string, number>();
  const found = cards.sort(byHand).map((code): Held => {
    const count = seen.get(code) ?? 0;
    seen.set(code, count + 1);
    return { id: `${code}#${count}`, code };
  });
  if (!order) return found;
  const place = ({ id }: Held) => (order.includes(id) ? order.indexOf(id) : order.length);
  return found.sort((a, b) => place(a) - place(b));
}

/** `ids` with one of them moved to another place. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((each) => each !== id);
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, id);
  return rest;
}

export interface Lie {
  readonly x: number;
  readonly y: number;
  readonly tilt: number;
  /** How wide it can be seen: up to the next card. */
  readonly strip: number;
}

export interface Fan {
  readonly width: number;
  readonly height: number;
  /** By how many pixels a playable card is raised. */
  readonly raise: number;
  readonly lies: readonly Lie[];
}

/** The narrowest strip of a card that still shows what it is, in pixels. */
export const STRIP = 25;
const TALLNESS = 1.4;
/** By how much of its height a playable card is raised: of two rows less, or it would cover those
 * behind it. */
const RAISE = 1 / 3;
const RAISE_OF_TWO = 0.14;

/** How so many cards lie in so much room: a fan, or two rows where it would be too narrow. */
export function fan(count: number, room: number, width: number): Fan {
  const edge = 6; // of the outer cards, which are tilted
  const most = Math.max(1, Math.floor((room - 2 * edge - width) / STRIP) + 1);
  const rows = count > most ? 2 : 1;
  const first = rows === 2 ? Math.floor(count / 2) : count;
  const tall = width * TALLNESS;
  const raise = tall * (rows === 2 ? RAISE_OF_TWO : RAISE);
  const drop = rows === 2 ? tall * 0.52 : 0;
  const lies = Array.from({ length: count }, (_, i) => {
    const back = i < first;
    const [n, at] = back ? [first, i] : [count - first, i - first];
    const strip = n > 1 ? Math.min(width * 0.82, (room - 2 * edge - width) / (n - 1)) : 0;
    const off = at - (n - 1) / 2;
    const bend = rows === 1 ? Math.min(1.1, 8 / n) : 0;
    return {
      x: room / 2 - width / 2 + off * strip,
      y: raise + (back ? 0 : drop) + off * off * bend * (strip / width) * 0.9,
      tilt: off * bend,
      strip: at < n - 1 ? Math.min(strip, width) : width,
    };
  });
  // So that the cloth above does not move while a round is played, the height is that of many.
  const low = Math.max(raise + drop + width * 0.12, ...lies.map(({ y }) => y));
  return { width, height: low + tall + 3, raise, lies };
}

/** How wide a card of the hand is, in so much room on a page so high; `rem` scales the whole. */
export function cardWidth(room: number, height: number, rem: number): number {
  const most = Math.min(room * 0.185, height * 0.138, 7.2 * rem);
  return Math.round(Math.max(most, Math.min(52, room * 0.17)));
}
