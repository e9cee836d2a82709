// The layout of the cloth, in pixels from its far left corner: the others along its rim, stock and
// bids at the near rim, and the cards of the trick in the remaining space.

import { clamp, LEAST, WIDTHS } from '../layout.ts';
import { type Place, places } from './places.ts';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The cloth: its width, its height down to the plate above my name, and its kind. `unit` is a
 * pixel at the usual text size. */
export interface Cloth {
  readonly width: number;
  readonly height: number;
  readonly unit: number;
  /** `arc`: its far rim is an arc. `oval`: an oval. `flat`: little height. */
  readonly kind: 'arc' | 'oval' | 'flat';
  /** The height of the top line, which covers part of it. */
  readonly top: number;
  /** Whether cards are larger than usual: then all sit in lines if it is narrow. */
  readonly large?: boolean;
  /** Whether no one here plays: then a player also sits at the near rim, between stock and bids. */
  readonly everyone?: boolean;
}

/** How another player is shown: upright, the sign over the name, or in a line, mirrored on the
 * right. */
export interface SeatSpot extends Box {
  readonly form: 'upright' | 'line';
  readonly mirrored: boolean;
  /** The widths of the sign and of the card backs behind it; 0 without any. */
  readonly sign: number;
  readonly back: number;
}

/** The ratio of the height of a card to its width (cards/Card.svelte). */
export const TALLNESS = 1.4;
/** The corner of a card, with rank and symbol, as shares of the card's width. */
export const CORNER = { width: 0.36, height: 0.5 };
/** The widths in the top line: of the words at its left (and on wide cloths), and of the button at
 * its right. */
export const TOP = { left: 138, wide: 190, right: 62 };
/** The heights of a name and of the numbers below an upright sign, usual and large; of a line; and
 * of a team banner. */
const WORDS = { usual: 46, large: 53 };
const LINE = 38;
const BANNER = 8;
/** How far the fan of cards stands above a sign, as a share of the width of one of its cards. */
const FAN = 0.44;

export function meet(a: Box, b: Box, gap = 0): boolean {
  const dx = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const dy = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return dx > -gap && dy > -gap;
}

const boxOf = (left: number, top: number, width: number, height: number): Box => ({
  left, top, right: left + width, bottom: top + height,
}); // prettier-ignore

/** The parts of the cloth under the top line. */
export function topBoxes({ width, unit, top, kind }: Cloth): Box[] {
  const right = { flat: 3.1, oval: 3.6, arc: 1 }[kind] * TOP.right * unit;
  const left = (width < WIDTHS.narrow * unit ? TOP.left : TOP.wide) * unit;
  return [boxOf(0, 0, left, top), boxOf(width - right, 0, right, top)];
}

/** The others, clockwise from my left, including one at the near rim. `teams`: each sign has a
 * banner. */
export function seatsIn(cloth: Cloth, others: number, teams = false): SeatSpot[] {
  const narrow = cloth.kind === 'arc' && cloth.width < WIDTHS.roomy * cloth.unit;
  if (narrow && !cloth.everyone && (cloth.large || others > 5)) return lineSeats(cloth, others);
  const upright = uprightSeats(cloth, others, teams);
  const seats =
    cloth.kind !== 'flat' && stands(upright, cloth) ? upright : lineSeats(cloth, others);
  return cloth.everyone ? [...seats, nearSeat(cloth, others, teams)] : seats;
}

function nearSeat(cloth: Cloth, others: number, teams: boolean): SeatSpot {
  const { width, height, unit } = cloth;
  const sign = signIn(cloth, others);
  const tall = sign + (WORDS.large + (teams ? BANNER : 0)) * unit;
  const wide = Math.min(0.17 * width, 150 * unit);
  return {
    ...boxOf((width - wide) / 2, height - tall, wide, tall),
    form: 'upright', mirrored: false, sign, back: 0.52 * sign,
  }; // prettier-ignore
}

/** Whether no player covers another, and a trick fits below. */
function stands(seats: readonly SeatSpot[], cloth: Cloth): boolean {
  const near = cloth.height - 82 * cloth.unit;
  return (
    seats.every(({ bottom }) => bottom <= near) &&
    seats.every((seat, i) => seats.slice(i + 1).every((next) => !meet(seat, next, 1)))
  );
}

/** Another player's sign, with the fan of cards behind it: the widest part. */
export function faceOf({ left, top, right, sign, back }: SeatSpot): Box {
  const half = sign / 2 + 0.9 * back;
  return boxOf((left + right) / 2 - half, top - FAN * back, 2 * half, sign + FAN * back);
}

/** The middle and the width of another player's sign. */
export function signOf({ left, top, right, sign, form, mirrored }: SeatSpot) {
  const line = mirrored ? right - sign / 2 : left + sign / 2;
  return { x: form === 'line' ? line : (left + right) / 2, y: top + sign / 2, width: sign };
}

function signIn({ width, height, unit, kind }: Cloth, others: number): number {
  if (kind === 'oval') return clamp(44, 0.11 * height, 68 * Math.max(unit, height / 760));
  if (width >= WIDTHS.roomy * unit) return clamp(44, 0.1 * height, 68 * unit);
  return Math.min(
    others > 3 ? 42 * unit : 50 * unit,
    clamp(40, 26 * unit + 0.046 * height, 50 * unit),
  );
}

function uprightSeats(cloth: Cloth, others: number, teams: boolean): SeatSpot[] {
  const { width, height, unit, kind, top, everyone } = cloth;
  const sign = signIn(cloth, others);
  const roomy = kind === 'oval' || width >= WIDTHS.roomy * unit;
  const words = roomy ? WORDS.large : WORDS.usual;
  const tall = sign + (words + (teams ? BANNER : 0)) * unit;
  const share =
    everyone && roomy ? (others > 6 ? 0.16 : 0.19) : roomy ? 0.17 : others > 3 ? 0.27 : 0.325;
  // Names, and most of a sign, lie inside the rim of an oval.
  const inside = kind === 'oval' && !everyone;
  const edge = inside ? 56 * unit : kind === 'oval' ? 0.012 * width : 0;
  const most = everyone ? 170 : inside ? 124 : roomy ? 150 : 132;
  const wide = Math.min(share * width, most * unit);
  const back = roomy ? 0.52 * sign : 0.48 * sign;
  const first = kind === 'oval' ? top + FAN * back : top - 14 * unit;
  const lowest = inside ? 0.74 : everyone ? 0.72 : roomy ? 0.66 : 0.62;
  const last = Math.max(first, lowest * height - tall);
  return places(others, roomy ? 'wide' : 'tall').map(([x, y]) => {
    const middle = x === 50 && !roomy;
    const across = middle ? Math.min(0.36 * width, width - 2 * wide - 4, 150 * unit) : wide;
    const left = edge + (x / 100) * (width - 2 * edge - across);
    const down = first + (y / 100) * (last - first);
    const seat: SeatSpot = {
      ...boxOf(left, down, across, tall),
      form: 'upright',
      mirrored: false,
      sign,
      back,
    };
    const face = faceOf(seat);
    const mirrored = { ...face, left: width - face.right, right: width - face.left };
    const below = top + FAN * back + 2;
    const hidden = topBoxes(cloth).some((box) => meet(face, box) || meet(mirrored, box));
    return hidden ? { ...seat, top: below, bottom: below + tall } : seat;
  });
}

function lineSeats(cloth: Cloth, others: number): SeatSpot[] {
  const { width, height, unit, kind, top } = cloth;
  const sign = 36 * unit;
  const tall = LINE * unit;
  const rows = Math.floor(others / 2);
  const wide = Math.min((kind === 'flat' ? 0.25 : 0.3) * width, 150 * unit);
  const edge = (kind === 'flat' ? 8 : 6) * unit;
  const between = width - 2 * wide - 2 * edge - 8 * unit;
  const across = Math.min(between, 150 * unit);
  const beside = rows === 0 || across >= LEAST.line * unit;
  const far0 = boxOf((width - across) / 2, 3 * unit, across, tall);
  const high = topBoxes(cloth).some((box) => meet(far0, box, 4)) ? top : 3 * unit;
  const from = (beside ? top : high + tall) + 4 * unit;
  const end = height - tall - (kind === 'flat' ? 4 : 74) * unit;
  const step = rows > 1 ? clamp(tall, (end - from) / (rows - 1), 64 * unit) : 0;
  const side = (at: number, mirrored: boolean): SeatSpot => ({
    ...boxOf(mirrored ? width - wide - edge : edge, from + at * step, wide, tall),
    form: 'line', mirrored, sign, back: 0,
  }); // prettier-ignore
  if (kind === 'flat' && (rows - 1) * tall > end - from) return strip(cloth, others);
  const downwards = Array.from({ length: rows }, (_, at) => at);
  const far: SeatSpot[] =
    others % 2 === 0
      ? []
      : [
          {
            ...boxOf((width - across) / 2, high, across, tall),
            form: 'line',
            mirrored: false,
            sign,
            back: 0,
          },
        ];
  return [
    ...downwards.map((at) => side(rows - 1 - at, false)),
    ...far,
    ...downwards.map((at) => side(at, true)),
  ];
}

/** All in one row, if a pad leaves little height. */
function strip({ width, unit, top }: Cloth, others: number): SeatSpot[] {
  const [sign, tall, gap] = [30 * unit, LINE * unit, 4 * unit];
  const wide = Math.min((width - gap) / others - gap, 150 * unit);
  const step = others > 1 ? (width - 2 * gap - wide) / (others - 1) : 0;
  return Array.from({ length: others }, (_, i) => ({
    ...boxOf(others > 1 ? gap + i * step : (width - wide) / 2, top - unit, wide, tall),
    form: 'line', mirrored: false, sign, back: 0,
  })); // prettier-ignore
}

/** Stock and turn-up at the left, the bids at the right of the near rim. */
export interface Rim {
  readonly stock: Box;
  readonly bids: Box;
  /** The width of a card of the stock; 0 for only the sign of the trump. */
  readonly card: number;
}

/** The parts at the near rim; none on a low cloth. The stock shows no cards if they would cover one
 * of the `seats`. */
export function rimIn(
  { width, height, unit, kind, everyone }: Cloth,
  lines = 0,
  seats: readonly Box[] = [],
): Rim | null {
  if (kind === 'flat') return null;
  const roomy = width >= WIDTHS.roomy * unit;
  const card = roomy ? clamp(44, 0.105 * height, 66 * unit) : clamp(36, 0.096 * height, 50 * unit);
  // On a shared screen they stand in the corners beside the oval.
  const edge =
    everyone && kind === 'oval'
      ? 10 * unit
      : (kind === 'oval' ? 0.19 * width : 0) + (roomy ? 26 : 10) * unit;
  const down = height - 6 * unit;
  const across = Math.max(2 * card - 6, 104 * unit);
  const high = TALLNESS * card + 18 * unit;
  const words = (roomy ? 150 : lines ? 136 : width < WIDTHS.tiny * unit ? 92 : 122) * unit;
  const text = lines ? (36 + 27 * lines) * unit : (width < WIDTHS.tiny * unit ? 44 : 80) * unit;
  const cards = boxOf(edge, down - high, across, high);
  const covers = seats.some((seat) => meet(seat, cards));
  return {
    card: covers ? 0 : card,
    stock: covers ? boxOf(edge, down - 28 * unit, across, 28 * unit) : cards,
    bids: boxOf(width - edge - words, down - text, words, text),
  };
}

/** The quality of a middle: large, and high enough for a card. */
function worth({ left, top, right, bottom }: Box): number {
  const [across, down] = [Math.max(0, right - left), Math.max(0, bottom - top)];
  const { middle } = LEAST;
  return across * down * (down < middle.height || across < middle.width ? 0.3 : 1);
}

/** The largest free rectangle: each obstacle cuts off one side. */
export function middleOf(
  taken: readonly Box[],
  { width, height }: { width: number; height: number },
): Box {
  const gap = 4;
  const whole: Box = { left: gap, top: gap, right: width - gap, bottom: height - gap };
  let best: Box | null = null;
  let most = 0;
  function cut(free: Box): void {
    const areaOf = (free.right - free.left) * (free.bottom - free.top);
    if (areaOf <= most || free.right < free.left || free.bottom < free.top) return;
    const box = taken.find((each) => meet(free, each, gap - 0.01));
    if (!box) {
      if (worth(free) > most) [best, most] = [free, worth(free)];
      return;
    }
    cut({ ...free, top: box.bottom + gap });
    cut({ ...free, left: box.right + gap });
    cut({ ...free, right: box.left - gap });
    cut({ ...free, bottom: box.top - gap });
  }
  cut(whole);
  return best ?? whole;
}

/** Points of a rounded square, clockwise from the middle of its lower side. */
const ROUNDED = Array.from({ length: 361 }, (_, i): Place => {
  const root = (x: number) => Math.sign(x) * Math.sqrt(Math.abs(x));
  const angle = (i / 360) * 2 * Math.PI;
  return [-root(Math.sin(angle)), root(Math.cos(angle))];
});

/** Points of a rounded frame, evenly spaced, clockwise from the middle of its lower side. */
function frame(count: number, across: number, down: number): Place[] {
  const far = new Float64Array(ROUNDED.length);
  for (let i = 1; i < far.length; i++) {
    const [x, y] = ROUNDED[i]!;
    const [u, v] = ROUNDED[i - 1]!;
    far[i] = far[i - 1]! + Math.hypot(across * (x - u), down * (y - v));
  }
  return Array.from({ length: count }, (_, i): Place => {
    const at = (i / count) * far.at(-1)!;
    const [x, y] = ROUNDED[far.findIndex((each) => each >= at)]!;
    return [across * x, down * y];
  });
}

/** In one row, mine in its middle, if there is too little height for more. */
function row(count: number, across: number): Place[] {
  const mine = Math.ceil((count - 1) / 2);
  return Array.from({ length: count }, (_, i) => {
    const at = i === 0 ? mine : i <= mine ? i - 1 : i;
    return [count === 1 ? 0 : across * ((2 * at) / (count - 1) - 1), 0];
  });
}

/** In two columns, mine at the foot of the left one. */
function columns(count: number, across: number, step: number): Place[] {
  const left = Math.ceil(count / 2);
  return Array.from({ length: count }, (_, i) => {
    const up = i < left ? i : count - 1 - i;
    return [i < left ? -across : across, ((left - 1) / 2 - up) * step];
  });
}

/** An arrangement of cards, in card widths around their middle. */
interface Pattern {
  readonly spots: readonly Place[];
  /** Its quality, as a factor of a card's width: how visible the cards are, how compact the
   * arrangement is, and how far from a mere row. */
  readonly value: number;
  /** Whether no card is covered. */
  readonly open: boolean;
}

const around = ([x, y]: Place, width = 1): Box =>
  boxOf(x - width / 2, y - (TALLNESS * width) / 2, width, TALLNESS * width);
const areaOf = ({ left, top, right, bottom }: Box) =>
  Math.max(0, right - left) * Math.max(0, bottom - top);

function overlap(a: Box, b: Box): number {
  return areaOf({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  }); // prettier-ignore
}

/** The pattern, if the corner of every card is visible. Cards further right and down lie on top. */
function checked(spots: readonly Place[], spread: number): Pattern | null {
  const cards = spots.map((spot) => around(spot)).sort((a, b) => a.left + a.top - b.left - b.top);
  let hidden = 0;
  for (const [i, card] of cards.entries()) {
    const { left, top } = card;
    const corner = boxOf(left, top, CORNER.width, CORNER.height);
    for (const above of cards.slice(i + 1)) {
      if (meet(corner, above)) return null;
      hidden += overlap(card, above);
    }
  }
  const seen = Math.max(0, 1 - hidden / (cards.length * TALLNESS));
  const downs = spots.map(([, y]) => y);
  const round = Math.min(1, (Math.max(...downs) - Math.min(...downs)) / TALLNESS);
  const value = (1 + 0.8 * seen) * (1 + 0.4 * round) * (1 - 0.006 * spread);
  return { spots, value, open: hidden < 0.05 };
}

const ACROSS = [0, 0.5, 0.6, 0.74, 0.88, 1.02, 1.3, 1.6, 2, 2.5];
const DOWN = [0.28, 0.42, 0.56, 0.72, 0.9, 1.1, 1.45, 1.8];
const known = new Map<number, readonly Pattern[]>();

function patterns(count: number): readonly Pattern[] {
  const found = known.get(count);
  if (found) return found;
  const frames = ACROSS.flatMap((x) => DOWN.map((y) => checked(frame(count, x, y), x + y)));
  const rows = [0.4, 0.6, 1].map((step) =>
    checked(row(count, (step * (count - 1)) / 2), 1.5 * count),
  );
  const pairs =
    count < 6
      ? []
      : [0.5, 0.54, 0.7].flatMap((x) =>
          [0.6, 0.9, 1.2, 1.55].map((y) => checked(columns(count, x, y), x + (y * count) / 4)),
        );
  const all = [...frames, ...rows, ...pairs].filter((each) => each !== null);
  known.set(count, all);
  return all;
}

export interface Laid {
  /** The width of a card. */
  readonly width: number;
  /** The middles of the cards: mine, then clockwise. */
  readonly spots: readonly Place[];
}

/** The arrangement of a trick on a cloth of this height, clear of everything there: as large as
 * possible up to `most`, preferring cards side by side around the middle to overlapping cards or a
 * row, unless they get too small. */
export function trickIn(
  taken: readonly Box[],
  { width, height, unit, everyone, large }: Cloth,
  players: number,
  most: number,
): Laid {
  const [hang, edge, above] = [9 * unit, 6, 8 * unit]; // a sign is below its card, or above
  const card = { left: 0, top: 0, right: 0, bottom: 0 };
  /** Whether cards of this width are clear of everything. Called some thousand times. */
  function clear(spots: readonly Place[], x: number, y: number, wide: number): boolean {
    const [across, down] = [wide / 2, (TALLNESS * wide) / 2];
    for (const [u, v] of spots) {
      card.left = x + u * wide - across;
      card.right = x + u * wide + across;
      card.top = y + v * wide - down;
      card.bottom = y + v * wide + down + hang;
      if (card.left < edge || card.right > width - edge || card.top < above || card.bottom > height)
        return false;
      for (const box of taken) if (meet(card, box, 2)) return false;
    }
    return true;
  }
  const middles = [0, -0.06, 0.06, -0.12, 0.12].map((off) => width / 2 + off * width);
  const downs = Array.from({ length: 24 }, (_, i) => ((i + 4) / 29) * height);
  /** The best arrangement of cards at least this wide. */
  function bestFrom(least: number): Laid | null {
    let best: Laid | null = null;
    let good = 0;
    for (const { spots, value, open } of patterns(players)) {
      if (everyone && !open) continue; // from afar, each card's player must be visible
      for (const x of middles)
        for (const y of downs) {
          const off = Math.abs(x - width / 2) / (470 * unit) + 0.12 * Math.abs(y / height - 0.55);
          const weight = value * (1 - off);
          let low = Math.max(good / weight, least);
          if (low >= most || !clear(spots, x, y, low)) continue;
          let high = most;
          if (clear(spots, x, y, high)) low = high;
          else
            for (let i = 0; i < 7; i++) {
              const half = (low + high) / 2;
              if (clear(spots, x, y, half)) low = half;
              else high = half;
            }
          if (low * weight <= good) continue;
          good = low * weight;
          best = { width: low, spots: spots.map(([u, v]): Place => [x + u * low, y + v * low]) };
        }
    }
    return best;
  }
  return (
    // People who have chosen large cards want size above all.
    (large ? bestFrom(0.9 * most) : null) ??
    bestFrom(LEAST.played * unit) ??
    bestFrom(12) ?? {
      width: 24,
      spots: row(players, width / 3).map(([u]): Place => [width / 2 + u, height / 2]),
    }
  );
}
