// Reads and writes the sheet file, `.rage-score.json` (docs/score.md), like src/rage/score/file.py.

import { fromBase64url } from '../base64url.ts';
import { type Fields, isListOf, isText, need } from './fields.ts';
import { MAX_FILE, MAX_SHEET_ADDRESS } from '../protocol.ts';
import { Refusal, refuse, type Reason } from './refusal.ts';
import { isObject, isWhole, type Rules, rulesFrom } from './rules.ts';
import { rulesData } from './names.ts';
import {
  accounts,
  checkSheet,
  isOver,
  scores,
  type Sheet,
  type SheetRound,
  winnersOf,
} from './sheet.ts';

const OPTIONAL = ['id', 'started', 'ended', 'comment'];
const SHEET_FIELDS = [
  'format',
  'version',
  'rules',
  'players',
  'rounds',
  'stopped',
  'scores',
  'winners',
];
const ROUND_FIELDS = ['seats', 'hand_size', 'dealer', 'bids', 'won', 'bonus', 'mad', 'points'];

/** The sheet of a file's text. Throws a `Refusal` if it is not one, breaks a rule, or is added up
 * wrongly. */
export function readSheet(text: string): Sheet {
  if (text.length > MAX_FILE) refuse('page.sheet.not_a_file');
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    refuse('page.sheet.not_a_file');
  }
  return sheetFrom(data);
}

/** The sheet of a file in an address: deflated, as base64url. Throws a `Refusal`. */
export async function unpackSheet(packed: string): Promise<Sheet> {
  let text = '';
  try {
    if (packed.length > MAX_SHEET_ADDRESS) throw new RangeError();
    const inflated = new Blob([fromBase64url(packed)])
      .stream()
      .pipeThrough(new DecompressionStream('deflate'));
    text = await new Response(inflated).text();
  } catch {
    refuse('score.not_a_link');
  }
  return readSheet(text);
}

/** The sheet of plain data. Throws a `Refusal`. */
export function sheetFrom(data: unknown): Sheet {
  const place = { code: 'place.sheet' };
  if (!isObject(data)) return refuse('notation.wrong_type', { place, kind: 'kind.object' });
  need(data, place, 'format', 'score_format', (each) => each === 'rage-score');
  need(data, place, 'version', 'version', (each) => each === 1);
  const rules = rulesFrom(need(data, place, 'rules', 'object', isObject));
  const players = need(data, place, 'players', 'names', isListOf(isText));
  const rounds = need<unknown[]>(data, place, 'rounds', 'rounds', Array.isArray);
  let seats: readonly number[] = [...players.keys()];
  const read = rounds.map((each, at) => {
    const round = roundFrom(each, players.length, seats, at + 1);
    ({ seats } = round);
    return round;
  });
  const stopped = 'stopped' in data && need(data, place, 'stopped', 'flag', isFlag);
  const numbers = isListOf(isNumber);
  if ('scores' in data) need(data, place, 'scores', 'numbers', numbers);
  const winners = (value: unknown) => value === null || numbers(value);
  if ('winners' in data) need(data, place, 'winners', 'winners', winners);
  const extra = without(data, SHEET_FIELDS);
  const sheet = checkSheet({ rules, players, rounds: read, stopped: stopped === true, extra });
  checkResults(sheet, data, rounds as Fields[]);
  return sheet;
}

const isFlag = (value: unknown) => typeof value === 'boolean';
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

function without(data: Fields, known: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !known.includes(name)));
}

function roundFrom(
  data: unknown,
  players: number,
  before: readonly number[],
  number: number,
): SheetRound {
  const place = { code: 'place.round', params: { round: number } };
  if (!isObject(data)) return refuse('notation.wrong_type', { place, kind: 'kind.object' });
  const isPlayer = (value: unknown) => isWhole(value, 0, players - 1);
  const has = (field: string) => Object.hasOwn(data, field);
  const seats = has('seats') ? need(data, place, 'seats', 'players', isListOf(isPlayer)) : before;
  const list = (field: string, kind: string, usual: number | null): (number | null)[] => {
    if (!has(field)) return seats.map(() => usual);
    const fits = (value: unknown): value is number | null =>
      isNumber(value) || (usual === null && value === null);
    const values = need(data, place, field, kind, isListOf(fits));
    const [n, due] = [values.length, seats.length];
    if (n !== due) refuse('notation.wrong_count', { place, field, n, due });
    return values;
  };
  const round = {
    seats,
    hand_size: need(data, place, 'hand_size', 'whole', isNumber),
    dealer: need(data, place, 'dealer', 'player', isPlayer),
    bids: list('bids', 'bids', null),
    won: list('won', 'bids', null),
    bonus: list('bonus', 'numbers', 0) as number[],
    mad: list('mad', 'numbers', 0) as number[],
    extra: without(data, ROUND_FIELDS),
  };
  if (has('points')) need(data, place, 'points', 'numbers', isListOf(isNumber));
  return round;
}

/** Refuse a file whose stated results are wrong. */
function checkResults(sheet: Sheet, data: Fields, rounds: readonly Fields[]): void {
  sheet.rounds.forEach((round, at) => {
    const { points } = rounds[at]!;
    if (points === undefined) return;
    const why = isOver(round)
      ? notRight('points', pointsOf(sheet, round), points)
      : { code: 'notation.too_soon', params: { field: 'points' } };
    if (why) refuse('notation.at_round', { round: at + 1, why });
  });
  const { scores: given, winners } = data;
  const due = winnersOf(sheet);
  const why =
    (given === undefined ? null : notRight('scores', scores(sheet), given)) ??
    (winners == null
      ? null
      : due === null
        ? { code: 'notation.too_soon', params: { field: 'winners' } }
        : notRight('winners', due, winners));
  if (why) throw new Refusal(why);
}

function notRight(field: string, right: readonly number[], given: unknown): Reason | null {
  if (JSON.stringify(right) === JSON.stringify(given)) return null;
  return { code: 'notation.not_right', params: { field, right, given } };
}

const pointsOf = (sheet: Sheet, round: SheetRound) =>
  accounts(sheet, round).map(({ points }) => points);

/** The text of a sheet's file: the same bytes that Python writes. */
export function writeSheet(sheet: Sheet): string {
  const { rounds, ...data } = sheetData(sheet);
  const lines = Object.entries(data).map(([name, value]) => `  ${json(name)}: ${json(value)}`);
  const listed = rounds.map((each) => `    ${json(each)}`).join(',\n');
  const at = lines.findIndex((line) => /^ {2}"(stopped|scores)"/.test(line));
  lines.splice(at, 0, `  "rounds": ${listed ? `[\n${listed}\n  ]` : '[]'}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** JSON with a space after each `:` and `,`. */
export function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, each]) => `${json(name)}: ${json(each)}`);
  return `{${fields.join(', ')}}`;
}

/** A sheet as plain data for JSON, its fields in their order. */
export function sheetData(sheet: Sheet): { rounds: Fields[] } & Record<string, unknown> {
  const { rules, players, stopped, extra } = sheet;
  const winners = winnersOf(sheet);
  let before: readonly number[] = [...players.keys()];
  const known = OPTIONAL.filter((name) => name in extra).map((name) => [name, extra[name]]);
  return {
    format: 'rage-score',
    version: 1,
    rules: rulesData(rules as Rules),
    players,
    ...Object.fromEntries(known),
    ...without(extra, OPTIONAL),
    rounds: sheet.rounds.map((round) => {
      const data = roundData(sheet, round, before);
      before = round.seats;
      return data;
    }),
    ...(stopped ? { stopped } : {}),
    scores: scores(sheet),
    ...(winners ? { winners } : {}),
  };
}

function roundData(sheet: Sheet, round: SheetRound, before: readonly number[]): Fields {
  const { seats, hand_size, dealer, bids, won, bonus, mad, extra } = round;
  const some = (list: readonly unknown[]) => list.some((each) => each !== null && each !== 0);
  return {
    ...(json(seats) === json(before) ? {} : { seats }),
    hand_size,
    dealer,
    ...(bids.some((each) => each !== null) ? { bids } : {}),
    ...(won.some((each) => each !== null) ? { won } : {}),
    ...(some(bonus) ? { bonus } : {}),
    ...(some(mad) ? { mad } : {}),
    ...(isOver(round) ? { points: pointsOf(sheet, round) } : {}),
    ...extra,
  };
}
