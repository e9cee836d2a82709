// The hand: which card is which, in which order, and the position of each.

import { byHand, isColoured, split } from '../codes';
import { TALLNESS } from './room';

/** A card of a hand; `id` tells equal cards apart. */
export interface Held {
  readonly id: string;
  readonly code: string;
}

const known = new Map<string, Held>();

/** The same object for the same card, so that unchanged cards are not redrawn. */
function heldAs(id: string, code: string): Held {
  const found = known.get(id) ?? { id, code };
  known.set(id, found);
  return found;
}

/** The cards of a hand, without one that already lies on the table, sorted by colour and rank or in
 * the player's own order; cards of the colour `lastColour` last. */
export function cardsInHand(
  codes: string,
  without: string | null,
  order: readonly string[] | null,
  lastColour: string | null = null,
): Held[] {
  const cards = split(codes);
  const at = without === null ? -1 : cards.indexOf(without);
  if (at >= 0) cards.splice(at, 1);
  const seen = new Map<string, number>();
  const found = cards.sort(byHand).map((code): Held => {
    const count = seen.get(code) ?? 0;
    seen.set(code, count + 1);
    return heldAs(`${code}#${count}`, code);
  });
  if (!order) {
    const last = ({ code }: Held) =>
      Number(lastColour !== null && isColoured(code) && code[0] === lastColour);
    return found.sort((a, b) => last(a) - last(b));
  }
  const place = ({ id }: Held) => (order.includes(id) ? order.indexOf(id) : order.length);
  return found.sort((a, b) => place(a) - place(b));
}

/** `ids` with one of them moved. */
export function moveId(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((each) => each !== id);
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, id);
  return rest;
}

export interface CardPosition {
  readonly x: number;
  readonly y: number;
  readonly tilt: number;
  /** The visible part of its width, up to the next card. */
  readonly strip: number;
}

export interface Fan {
  readonly width: number;
  readonly height: number;
  /** How far a playable card is raised, in pixels. */
  readonly raise: number;
  /** The share of a card's width for rank and symbol. */
  readonly corner: number;
  readonly positions: readonly CardPosition[];
}

/** The narrowest strip of a card that can be recognised and touched, and one that is easy to touch,
 * in pixels. */
export const STRIP = { least: 24, good: 30 };
/** How far a playable card is raised, as a share of its height. */
const RAISE = 0.125;
/** The room for the tilt of the outer cards on both sides together, at least and usually. */
const EDGES = { least: 6, usual: 26 };
/** The largest tilt between neighbours, and of the outer cards, in degrees. */
const TILT = { step: 1.5, most: 4 };

/** For larger cards: the factor, the smallest visible part in one row, and the heights of two rows
 * and of one, in card widths. */
const LARGER = { times: 1.25, seen: 0.3, rows: 2.24, row: 1.67 };
/** For two rows: how far a card is raised, and how much of a first-row card is visible, in card
 * heights; and how wide rank and symbol may be, so that they are fully visible there. */
const ROWS = { raise: RAISE, drop: 0.52, corner: 1 };
const LARGER_ROWS = { raise: 0.08, drop: 0.51, corner: 0.35 };

/** The greatest height of a hand of larger cards in a window of this height; 0 if too many players
 * sit at a `low` cloth, because the trick would have no room left. */
export function mostHigh(height: number, players: number, low: boolean): number {
  if (low && players > 4) return 0;
  return (players > 6 ? 0.25 : 0.33) * height;
}

/** The layout of a number of cards in a width: a fan, or two rows if that would be too narrow.
 * `most`: larger cards than usual, in a hand of at most this height; 0: usual size. */
export function fan(count: number, room: number, card: number, most = 0): Fan {
  if (most) return largerFan(count, room, card, most);
  return usualFan(count, room, card);
}

function largerFan(count: number, room: number, card: number, most: number): Fan {
  const large = LARGER.times * card;
  const row = oneRow(count, room, Math.max(card, Math.min(large, most / LARGER.row)));
  const { strip } = row.positions[0] ?? { strip: row.width };
  if (count < 5 || strip >= LARGER.seen * row.width) return row;
  const width = Math.max(64, Math.min(large, most / LARGER.rows));
  return twoRows(count, room, width, LARGER_ROWS);
}

function usualFan(count: number, room: number, card: number): Fan {
  const most = Math.max(1, Math.floor((room - EDGES.least - card) / STRIP.least) + 1);
  return count > most ? twoRows(count, room, Math.min(card, 64)) : oneRow(count, room, card);
}

function oneRow(count: number, room: number, width: number): Fan {
  const tall = width * TALLNESS;
  const gaps = Math.max(1, count - 1);
  const usual = (room - EDGES.usual - width) / gaps;
  const step = Math.min(
    0.82 * width,
    Math.max(usual, Math.min(STRIP.good, (room - EDGES.least - width) / gaps)),
  );
  const edge = (room - width - step * (count - 1)) / 2;
  // A card turns about a point below it, so its upper corner leans out: into the room at the edge.
  const lean = (Math.asin(Math.min(0.07, Math.max(0, edge - 1) / (1.3 * tall))) * 180) / Math.PI;
  const outer = Math.min(TILT.most, lean, (TILT.step * (count - 1)) / 2);
  const raise = RAISE * tall;
  const bend = 0.09 * width * Math.min(1, count / 6);
  const positions = Array.from({ length: count }, (_, i) => {
    const off = count > 1 ? (2 * i) / (count - 1) - 1 : 0;
    return {
      x: edge + i * step,
      y: raise + bend * off * off,
      tilt: off * outer,
      strip: i < count - 1 ? Math.min(step, width) : width,
    };
  });
  return { width, height: raise + bend + tall, raise, corner: 1, positions };
}

function twoRows(count: number, room: number, width: number, rows = ROWS): Fan {
  const tall = width * TALLNESS;
  const [raise, drop] = [rows.raise * tall, rows.drop * tall];
  const first = Math.floor(count / 2);
  const positions = Array.from({ length: count }, (_, i) => {
    const back = i < first;
    const [n, at] = back ? [first, i] : [count - first, i - first];
    const step = Math.min(width * 0.82, (room - EDGES.least - width) / Math.max(1, n - 1));
    return {
      x: room / 2 - width / 2 + (at - (n - 1) / 2) * step,
      y: raise + (back ? 0 : drop),
      tilt: 0,
      strip: at < n - 1 ? Math.min(step, width) : width,
    };
  });
  return { width, height: raise + drop + tall + 2, raise, corner: rows.corner, positions };
}
