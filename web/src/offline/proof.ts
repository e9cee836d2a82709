// Proves that deals were fair by recomputing every deal of a record from its seed: `rage verify` in
// the browser, even without `crypto.subtle`.

import { split } from '../codes.ts';
import { sortHand } from './cards.ts';
import { commitment, Dealer, type Deal, wordCommitment } from './deal.ts';
import { isListOf, isText, need } from './fields.ts';
import { type Reason, refuse } from './refusal.ts';
import { checkPlayers, isObject, isWhole, type Rules, rulesFrom } from './rules.ts';

const found = (code: string, params?: Reason['params']): Reason =>
  params ? { code, params } : { code };

/** The result of a check: whether it is right (`null` if it could not be checked), and why. */
export interface Finding {
  readonly right: boolean | null;
  readonly reason: Reason;
}

interface Terms {
  readonly rules: Rules;
  readonly names: readonly string[];
  readonly players: number;
  readonly first_round: number;
  readonly rounds: readonly Deal[];
  readonly extra: Readonly<Record<string, unknown>>;
}

type Texts = readonly (string | null)[];

/** Check the commitments and every deal of a record (docs/record.md, as JSON data) against its
 * `seed` and `words`: first the seed, then the words, then each round. Throws a `Refusal` if it is
 * not a record, or has nothing to check. */
export function verify(record: unknown): Finding[] {
  const { rules, names, players, first_round, rounds, extra } = read(record);
  const seed = typeof extra['seed'] === 'string' ? unhex(extra['seed']) : null;
  if (!seed?.length) return refuse('verify.no_seed');
  if (!rounds.length) return refuse('verify.no_rounds');
  const words = textsOf(extra['words'], players, 'verify.bad_words');
  const hashes = textsOf(extra['word_commitments'], players, 'verify.bad_word_commitments');
  const seating = seatingOf(extra, players);
  const dealer = new Dealer(
    rules,
    players,
    seed,
    (words.length ? words : hashes.map(() => null)).map((word) => word ?? ''),
    firstDealer(extra, players),
  );
  return [
    checkCommitment(extra['commitment'], commitment(seed)),
    ...checkWords(words, hashes, commitment(seed)),
    ...(hashes.some(Boolean)
      ? checkSeating(
          seating,
          rounds.map((_, i) => occupants(extra, names, first_round + i)),
          first_round,
        )
      : []),
    ...rounds.map((dealt, i) => checkRound(dealt, dealer, first_round + i)),
  ];
}

/** The bytes of hexadecimal digits, with optional white space between bytes; `null` for anything
 * else. */
export function unhex(text: string): Uint8Array | null {
  if (!/^[ \t\n\v\f\r]*([0-9a-fA-F]{2}[ \t\n\v\f\r]*)*$/.test(text)) return null;
  const digits = text.replace(/[ \t\n\v\f\r]/g, '');
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
}

/** The dealer of the schedule's first round if the game before decided it; otherwise `null`: the
 * seed decides. */
function firstDealer(extra: Terms['extra'], players: number): number | null {
  const first = extra['first_dealer'];
  return isWhole(first, 0, players - 1) ? first : null;
}

/** What the deals of a record depend on besides seed and words, the first dealer unless the seed
 * decides, and who sat where. Throws a `Refusal` if it is not a record. */
export function termsOf(record: unknown): {
  rules: Rules;
  players: number;
  dealer: number | null;
  seating: readonly string[];
} {
  const { rules, players, extra } = read(record);
  const seating = seatingOf(extra, players);
  return { rules, players, dealer: firstDealer(extra, players), seating };
}

/** What the findings prove: only what holds even against people who knew the seed. */
export function conclusion(findings: readonly Finding[]): Reason {
  const codes = findings.map(({ reason }) => reason.code);
  if (findings.some(({ right }) => right === false)) return found('verify.not_proven');
  const open = ['no_commitment', 'no_words', 'words_open'].find((name) =>
    codes.includes(`verify.${name}`),
  );
  if (open) return found(`verify.proven.${open}`);
  const words = codes.filter((code) => code === 'verify.word_withheld').length;
  if (!words) return found('verify.proven');
  if (!codes.includes('verify.word_right')) return found('verify.proven.all_withheld');
  return found('verify.proven.withheld', { words, deals: 2 ** words });
}

function checkCommitment(given: unknown, right: string): Finding {
  if (given === undefined || given === null) {
    return { right: null, reason: found('verify.no_commitment') };
  }
  if (typeof given !== 'string')
    return { right: false, reason: found('verify.commitment_no_text') };
  if (given.toLowerCase() === right)
    return { right: true, reason: found('verify.commitment_right') };
  return { right: false, reason: found('verify.commitment_wrong', { given, right }) };
}

/** Check each word against its commitment; without commitments, say what that leaves open. */
function checkWords(words: Texts, hashes: Texts, seedHash: string): Finding[] {
  if (!words.some(Boolean) && hashes.every((each) => each === null)) {
    return [{ right: null, reason: found('verify.no_words') }];
  }
  if (!hashes.length) return [{ right: null, reason: found('verify.words_open') }];
  return hashes.flatMap((given, seat) => checkWord(seat, words[seat] || null, given, seedHash));
}

function checkWord(
  seat: number,
  word: string | null,
  given: string | null,
  seedHash: string,
): Finding[] {
  const finding = (right: boolean | null, name: string): Finding[] => [
    { right, reason: found(`verify.${name}`, { seat }) },
  ];
  if (given === null) return word === null ? [] : finding(false, 'word_uncommitted');
  if (word === null) return finding(null, 'word_withheld');
  const right = given.toLowerCase() === wordCommitment(seedHash, word);
  return finding(right, right ? 'word_right' : 'word_wrong');
}

/** The names by seat when the words were fixed; empty if the record does not say. Throws a
 * `Refusal` for invalid data. */
function seatingOf(extra: Terms['extra'], players: number): readonly string[] {
  const names = textsOf(extra['seating'], players, 'verify.bad_seating').filter(isText);
  if (names.length && names.length !== players) refuse('verify.bad_seating', { players });
  return names;
}

/** The names by seat in a round, as a record has them. */
export function occupants({ earlier }: Terms['extra'], names: readonly string[], round: number) {
  const rounds: readonly unknown[] = Array.isArray(earlier) ? earlier : [];
  const told = rounds.filter(
    (each): each is { players: string[] } =>
      isObject(each) &&
      each['round'] === round &&
      isTexts(each['players'], names.length, isText) &&
      isTexts(each['bots'], names.length, isTextOrNull),
  );
  return told.at(-1)?.players ?? names;
}

function isTexts(value: unknown, n: number, fits: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length === n && value.every(fits);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

/** Check that the first round, if a record has it, was dealt to the people who sat there when the
 * words were fixed. A changed name may be a new name, or a bot that took over; but players do not
 * change seats. Later, seats may change hands; the record says which. */
function checkSeating(
  seating: readonly string[],
  dealt: readonly (readonly string[])[],
  first: number,
): Finding[] {
  if (!seating.length) return [{ right: null, reason: found('verify.no_seating') }];
  const all = dealt.map((names, at) => {
    const last = dealt[at - 1] ?? seating;
    return names.flatMap((name, seat): Finding[] => {
      if (name === last[seat]) return [];
      const params = { seat, before: last[seat], name };
      if (first + at > 1) {
        const reason = found('verify.seat_later', { round: first + at, ...params });
        return [{ right: null, reason }];
      }
      const moved = seating.includes(name);
      const reason = found(moved ? 'verify.seat_exchanged' : 'verify.seat_renamed', params);
      return [{ right: moved ? false : null, reason }];
    });
  });
  const [start = []] = all;
  const right = { right: true, reason: found('verify.seating_right') };
  return [...(first > 1 || start.length ? [] : [right]), ...all.flat()];
}

function checkRound(given: Deal, dealer: Dealer, round: number): Finding {
  const what = difference(given, dealer.deal(round));
  if (what === null) {
    return { right: true, reason: found('verify.round_right', { round }) };
  }
  return { right: false, reason: found('verify.round_wrong', { round, what }) };
}

/** How a deal differs from the seed's; a hand may be in any order, and a stock may be cut short. */
function difference(given: Deal, right: Deal): Reason | null {
  if (given.dealer !== right.dealer) {
    return found('verify.what.dealer', { due: right.dealer });
  }
  const seat = right.hands.findIndex((due, at) => !sameCards(due, given.hands[at]!));
  if (seat >= 0) {
    const cards = right.hands[seat]!.join(' ');
    return found('verify.what.hand', { seat, cards });
  }
  const same = given.stock.every((card, i) => card === right.stock[i]);
  return same ? null : found('verify.what.stock');
}

function sameCards(one: readonly string[], other: readonly string[]): boolean {
  return sortHand(one).join(' ') === sortHand(other).join(' ');
}

/** Texts by seat, `null` for seats without one; empty without the field. Throws a `Refusal` with
 * the code `refused` for invalid data. */
function textsOf(texts: unknown, players: number, refused: string): Texts {
  if (texts === undefined || texts === null) return [];
  const fits = (each: unknown) => each === null || (isText(each) && each.isWellFormed());
  if (!isTexts(texts, players, fits)) return refuse(refused, { players });
  return texts as Texts;
}

const RECORD: Reason = { code: 'place.record' };

/** The fields of a record that the proof needs. */
function read(record: unknown): Terms {
  if (!isObject(record)) {
    return refuse('notation.wrong_type', { place: RECORD, kind: 'kind.object' });
  }
  need(record, RECORD, 'format', 'format', (value) => value === 'rage-game');
  need(record, RECORD, 'version', 'version', (value) => value === 1);
  const rules = rulesFrom(need(record, RECORD, 'rules', 'object', isObject));
  const names = need(record, RECORD, 'players', 'names', isListOf(isText));
  const players = names.length;
  checkPlayers(rules, players);
  const last = rules.schedule.length;
  const first_round =
    record['first_round'] === undefined
      ? 1
      : need(record, RECORD, 'first_round', 'first_round', (value) => isWhole(value, 1, last));
  const rounds = need(record, RECORD, 'rounds', 'rounds', Array.isArray);
  const most = last - first_round + 1;
  if (rounds.length > most) refuse('notation.too_many_rounds', { rounds: rounds.length, most });
  const dealt = rounds.map((each, i) => readDeal(each, first_round + i, rules, players));
  return { rules, names, players, first_round, rounds: dealt, extra: record };
}

function readDeal(value: unknown, round: number, rules: Rules, players: number): Deal {
  const place: Reason = { code: 'place.round', params: { round } };
  if (!isObject(value)) return refuse('notation.wrong_type', { place, kind: 'kind.object' });
  const dealer = need(value, place, 'dealer', 'seat', (each) => isWhole(each, 0, players - 1));
  const listed = need(value, place, 'hands', 'card_lists', isListOf(isText));
  if (listed.length !== players) {
    refuse('notation.wrong_count', { place, field: 'hands', n: listed.length, due: players });
  }
  const hands = listed.map((cards, seat) =>
    readCards(cards, { code: 'place.hand', params: { round, seat } }),
  );
  const due = rules.schedule[round - 1]!;
  hands.forEach((hand, seat) => {
    if (hand.length !== due) refuse('notation.hand_size', { place, seat, n: hand.length, due });
  });
  return { dealer, hands, stock: readCards(need(value, place, 'stock', 'cards', isText), place) };
}

function readCards(text: string, place: Reason): string[] {
  const cards = split(text);
  const wrong = cards.find((code) => !/^([ROYGBP]([0-9]|1[0-5])|[WCX+-])$/.test(code));
  if (wrong !== undefined) {
    refuse('notation.no_card', { place, card: [...wrong].slice(0, 20).join('') });
  }
  return cards;
}
