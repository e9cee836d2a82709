// The proof that deals were fair: every deal of a record, recomputed from its seed. What
// `rage verify` says, in the browser, also without `crypto.subtle`.

import { handOrder, split } from './cards.ts';
import { commitment, Dealer, type Deal } from './deal.ts';
import { type Reason, refuse } from './refusal.ts';
import { checkPlayers, isObject, isWhole, type Rules, rulesFrom } from './rules.ts';
import { unhex } from './sha256.ts';

/** One thing that was checked: whether it was right (`null`: it could not be checked), and why. */
export interface Finding {
  readonly right: boolean | null;
  readonly reason: Reason;
}

interface Fields {
  readonly rules: Rules;
  readonly players: number;
  readonly first_round: number;
  readonly rounds: readonly Deal[];
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Check the commitment and every deal of a record (`record.md`, as JSON data) against its `seed`
 * and `words`. Throws a `Refusal` where it is no record, or there is nothing to check. */
export function verify(record: unknown): Finding[] {
  const { rules, players, first_round, rounds, extra } = read(record);
  const seed = typeof extra['seed'] === 'string' ? unhex(extra['seed']) : null;
  if (!seed?.length) return refuse('verify.no_seed');
  if (!rounds.length) return refuse('verify.no_rounds');
  const words = wordsOf(extra['words'], players);
  const first = extra['first_dealer'];
  const dealer = new Dealer(
    rules,
    players,
    seed,
    words,
    isWhole(first, 0, players - 1) ? first : null,
  );
  return [
    checkCommitment(extra['commitment'], commitment(seed)),
    ...rounds.map((dealt, i) => checkRound(dealt, dealer, first_round + i)),
  ];
}

/** Whether nothing that was checked is wrong. */
export function proven(findings: readonly Finding[]): boolean {
  return findings.every((finding) => finding.right !== false);
}

function checkCommitment(given: unknown, right: string): Finding {
  if (given === undefined || given === null) {
    return { right: null, reason: { code: 'verify.no_commitment' } };
  }
  if (String(given).toLowerCase() === right) {
    return { right: true, reason: { code: 'verify.commitment_right' } };
  }
  const params = { given: String(given), right };
  return { right: false, reason: { code: 'verify.commitment_wrong', params } };
}

function checkRound(given: Deal, dealer: Dealer, round: number): Finding {
  const what = difference(given, dealer.deal(round));
  if (what === null) {
    return { right: true, reason: { code: 'verify.round_right', params: { round } } };
  }
  return { right: false, reason: { code: 'verify.round_wrong', params: { round, what } } };
}

/** How a deal departs from the one of the seed; a hand may be written in any order, and a stock may
 * be cut short. */
function difference(given: Deal, right: Deal): Reason | null {
  if (given.dealer !== right.dealer) {
    return { code: 'verify.what.dealer', params: { due: right.dealer } };
  }
  const seat = right.hands.findIndex((due, at) => !sameCards(due, given.hands[at]!));
  if (seat >= 0) {
    const cards = right.hands[seat]!.join(' ');
    return { code: 'verify.what.hand', params: { seat, cards } };
  }
  const same = given.stock.every((card, i) => card === right.stock[i]);
  return same ? null : { code: 'verify.what.stock' };
}

function sameCards(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [one, other].map((hand) => [...hand].sort((x, y) => handOrder(x) - handOrder(y)));
  return a!.join(' ') === b!.join(' ');
}

function wordsOf(words: unknown, players: number): string[] {
  if (words === undefined || words === null) return [];
  const fits = (word: unknown) => word === null || typeof word === 'string';
  if (!Array.isArray(words) || words.length !== players || !words.every(fits)) {
    return refuse('verify.bad_words', { players });
  }
  return words.map((word: string | null) => word ?? '');
}

const RECORD: Reason = { code: 'place.record' };

/** The fields of a record that the proof asks for. */
function read(record: unknown): Fields {
  if (!isObject(record)) {
    return refuse('notation.wrong_type', { place: RECORD, kind: 'kind.object' });
  }
  need(record, 'format', 'format', (value) => value === 'rage-game');
  need(record, 'version', 'version', (value) => value === 1);
  const rules = rulesFrom(need(record, 'rules', 'object', isObject));
  const names = need(record, 'players', 'names', isListOf(isText));
  const players = names.length;
  checkPlayers(rules, players);
  const last = rules.schedule.length;
  const first_round =
    record['first_round'] === undefined
      ? 1
      : need(record, 'first_round', 'first_round', (value): value is number =>
          isWhole(value, 1, last),
        );
  const rounds = need(record, 'rounds', 'rounds', Array.isArray);
  const most = last - first_round + 1;
  if (rounds.length > most) refuse('notation.too_many_rounds', { rounds: rounds.length, most });
  const dealt = rounds.map((each, i) => readDeal(each, first_round + i, rules, players));
  return { rules, players, first_round, rounds: dealt, extra: record };
}

function readDeal(value: unknown, round: number, rules: Rules, players: number): Deal {
  const place: Reason = { code: 'place.round', params: { round } };
  if (!isObject(value)) return refuse('notation.wrong_type', { place, kind: 'kind.object' });
  const dealer = need(
    value,
    'dealer',
    'seat',
    (each): each is number => isWhole(each, 0, players - 1),
    place,
  );
  const listed = need(value, 'hands', 'card_lists', isListOf(isText), place);
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
  return { dealer, hands, stock: readCards(need(value, 'stock', 'cards', isText, place), place) };
}

function readCards(text: string, place: Reason): string[] {
  const cards = split(text);
  const wrong = cards.find((code) => !/^([ROYGBP]([0-9]|1[0-5])|[WCX+-])$/.test(code));
  if (wrong !== undefined) {
    refuse('notation.no_card', { place, card: [...wrong].slice(0, 20).join('') });
  }
  return cards;
}

function need<T>(
  fields: Readonly<Record<string, unknown>>,
  field: string,
  kind: string,
  fits: ((value: unknown) => value is T) | ((value: unknown) => boolean),
  place: Reason = RECORD,
): T {
  if (!Object.hasOwn(fields, field)) refuse('notation.missing', { place, field });
  const value = fields[field];
  if (!fits(value)) refuse('notation.wrong_field', { place, field, kind: `kind.${kind}` });
  return value as T;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf<T>(fits: (value: unknown) => value is T) {
  return (value: unknown): value is T[] => Array.isArray(value) && value.every(fits);
}
