// A sheet in the fragment of a link (docs/score.md), as src/rage/score/link.py reads and writes it.

import { fromBase64url, toBase64url } from '../base64url.ts';
import { nameOf, rulesNamed } from './names.ts';
import { MAX_SHEET_LINK, SHEET_LINK_BASES } from '../protocol.ts';
import { refuse } from './refusal.ts';
import {
  allBid,
  checkSheet,
  type Entries,
  isOver,
  seatsOf,
  type Sheet,
  type SheetRound,
} from './sheet.ts';

const PREFIX = '1.';
// The bases of its digits, as src/rage/score/link.py explains them.
const [HANDS, ROUND_COUNTS, SEAT_COUNTS, MORE_SEATS] = SHEET_LINK_BASES;

/** A number in a mixed radix: digits are put, or taken, each with its own base. */
class Digits {
  left: bigint;
  #digits: [bigint, bigint][] = [];

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.left = bytes.reduceRight((number, byte) => (number << 8n) + BigInt(byte), 0n);
  }
  put(digit: number | boolean, base: number): void {
    this.#digits.push([BigInt(digit), BigInt(base)]);
  }
  take(base: number): number {
    if (base < 1) throw new RangeError();
    const digit = this.left % BigInt(base);
    this.left /= BigInt(base);
    return Number(digit);
  }
  bytes(): Uint8Array<ArrayBuffer> {
    let number = this.#digits.reduceRight((all, [digit, base]) => all * base + digit, 0n);
    const found: number[] = [];
    for (; number > 0n; number >>= 8n) found.push(Number(number & 255n));
    return Uint8Array.from(found);
  }
}

/** The fragment of a sheet. */
export function writeLink(sheet: Sheet): string {
  const digits = new Digits();
  digits.put(sheet.stopped, 2);
  digits.put(sheet.rounds.length, ROUND_COUNTS);
  let before: readonly number[] = [...sheet.players.keys()];
  sheet.rounds.forEach((round, index) => {
    putSeats(digits, round.seats, before, sheet.players.length);
    putRound(digits, sheet, index);
    before = round.seats;
  });
  const head = new TextEncoder().encode([nameOf(sheet.rules), ...sheet.players].join('\n'));
  const body = digits.bytes();
  return `${PREFIX}${toBase64url(head)}.${toBase64url(joined(check(head, body), body))}`;
}

/** The sheet of a fragment, or of a link that ends in one. Throws a `Refusal`. */
export function readLink(link: string): Sheet {
  const text = link.slice(link.lastIndexOf('#') + 1).trim();
  try {
    if (!text.startsWith(PREFIX) || text.length > MAX_SHEET_LINK) throw new RangeError();
    const [head = '', numbers = '', ...more] = text.slice(PREFIX.length).split('.');
    if (more.length) throw new RangeError();
    return checkSheet(read(fromBase64url(head), fromBase64url(numbers)));
  } catch {
    return refuse('score.not_a_link');
  }
}

function read(head: Uint8Array<ArrayBuffer>, numbers: Uint8Array<ArrayBuffer>): Sheet {
  const body = numbers.slice(2);
  if (String(numbers.slice(0, 2)) !== String(check(head, body))) throw new RangeError();
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head);
  const [name = '', ...players] = text.split('\n');
  const digits = new Digits(body);
  const stopped = digits.take(2) === 1;
  let sheet: Sheet = { rules: rulesNamed(name), players, rounds: [], stopped, extra: {} };
  for (let count = digits.take(ROUND_COUNTS); count > 0; count -= 1) {
    const seats = takeSeats(digits, seatsOf(sheet), players.length);
    sheet = { ...sheet, rounds: [...sheet.rounds, takeRound(digits, sheet, seats)] };
  }
  if (digits.left) throw new RangeError();
  return sheet;
}

/** The lowest 16 bits of the CRC-32, the lower byte first. */
function check(head: Uint8Array, body: Uint8Array): Uint8Array {
  let crc = -1;
  for (const byte of joined(head, body)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return Uint8Array.of(~crc & 255, (~crc >>> 8) & 255);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Uint8Array.from([...a, ...b]);
}

function putSeats(
  digits: Digits,
  seats: readonly number[],
  before: readonly number[],
  players: number,
): void {
  const same = String(seats) === String(before);
  digits.put(!same, 2);
  if (same) return;
  const more = seats.length - SEAT_COUNTS;
  digits.put(more < 0 ? seats.length : 0, SEAT_COUNTS);
  if (more >= 0) digits.put(more, MORE_SEATS);
  const left = Array.from({ length: players }, (_, player) => player);
  for (const player of seats) {
    const at = left.indexOf(player);
    digits.put(at, left.length);
    left.splice(at, 1);
  }
}

function takeSeats(digits: Digits, before: readonly number[], players: number): readonly number[] {
  if (!digits.take(2)) return before;
  const left = Array.from({ length: players }, (_, player) => player);
  const count = digits.take(SEAT_COUNTS) || SEAT_COUNTS + digits.take(MORE_SEATS);
  return Array.from({ length: count }, () => left.splice(digits.take(left.length), 1)[0]!);
}

function putRound(digits: Digits, { rounds, rules }: Sheet, index: number): void {
  const round = rounds[index]!;
  const { hand_size: hand, seats, bids, won } = round;
  const usual = hand === rules.schedule[index];
  digits.put(!usual, 2);
  if (!usual) digits.put(hand, HANDS);
  digits.put(seats.indexOf(round.dealer), seats.length);
  digits.put(isOver(round), 2);
  if (isOver(round)) {
    for (const bid of bids) digits.put(bid!, hand + 1);
    putShares(digits, won.slice(0, -1) as number[], hand);
  } else {
    for (const bid of bids) digits.put(bid === null ? 0 : bid + 1, hand + 2);
    if (allBid(round)) putSome(digits, won, hand);
  }
  if (won.every((each) => each === null)) return;
  for (const [counts, most] of [
    [round.bonus, rules.pack.bonus],
    [round.mad, rules.pack.mad],
  ] as const) {
    const any = counts.some(Boolean);
    digits.put(any, 2);
    if (any) putShares(digits, counts, most);
  }
}

function takeRound(digits: Digits, sheet: Sheet, seats: readonly number[]): SheetRound {
  const { pack, schedule } = sheet.rules;
  const n = seats.length;
  const usual = schedule[sheet.rounds.length];
  if (usual === undefined) throw new RangeError();
  const hand = digits.take(2) ? digits.take(HANDS) : usual;
  const dealer = seats[digits.take(n)]!;
  let won: Entries = seats.map(() => null);
  let bids: Entries;
  if (digits.take(2)) {
    bids = seats.map(() => digits.take(hand + 1));
    const shares = takeShares(digits, n - 1, hand);
    won = [...shares, hand - shares.reduce((all, each) => all + each, 0)];
  } else {
    bids = seats.map(() => entry(digits.take(hand + 2)));
    if (!bids.includes(null)) won = takeSome(digits, n, hand);
  }
  const cards = [pack.bonus, pack.mad].map((most) => {
    const any = won.some((each) => each !== null) && digits.take(2);
    return any ? takeShares(digits, n, most) : seats.map(() => 0);
  });
  return { seats, hand_size: hand, dealer, bids, won, bonus: cards[0]!, mad: cards[1]! };
}

const entry = (digit: number) => (digit ? digit - 1 : null);

/** Put numbers that add up to `left` at most. */
function putShares(digits: Digits, shares: readonly number[], left: number): void {
  for (const each of shares) {
    digits.put(each, left + 1);
    left -= each;
  }
}

function takeShares(digits: Digits, count: number, left: number): number[] {
  return Array.from({ length: count }, () => {
    const share = digits.take(left + 1);
    left -= share;
    return share;
  });
}

/** The same for numbers of which some may be missing. */
function putSome(digits: Digits, entries: Entries, left: number): void {
  for (const each of entries) {
    digits.put(each === null ? 0 : each + 1, left + 2);
    left -= each ?? 0;
  }
}

function takeSome(digits: Digits, count: number, left: number): Entries {
  return Array.from({ length: count }, () => {
    const found = entry(digits.take(left + 2));
    left -= found ?? 0;
    return found;
  });
}
