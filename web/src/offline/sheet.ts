// The score sheet of a game with real cards, its possible entries, and its standings:
// docs/score.md, as in src/rage/score. A sheet never changes: each entry makes a new one.

import { MAX_NAME, MAX_PEOPLE } from '../protocol.ts';
import { refuse, Refusal } from './refusal.ts';
import { checkPlayers, LIMITS, type Rules } from './rules.ts';
import { isMet, type Result, sidePoints, sides as sums, winners } from './score.ts';

/** What has been entered for each seat of a round; `null` where nothing has been yet. */
export type Entries = readonly (number | null)[];

/** One round. `seats` are its players, clockwise, each by their place in the sheet's `players`, as
 * is the dealer. The lists are in the order of the seats. */
export interface SheetRound {
  readonly seats: readonly number[];
  readonly hand_size: number;
  readonly dealer: number;
  readonly bids: Entries;
  readonly won: Entries;
  readonly bonus: readonly number[];
  readonly mad: readonly number[];
  /** The fields of its file that are not part of the format. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A whole sheet. `players` are the names of everyone who ever took part. */
export interface Sheet {
  readonly rules: Rules;
  readonly players: readonly string[];
  readonly rounds: readonly SheetRound[];
  /** Whether the game ended before its schedule did. */
  readonly stopped: boolean;
  /** Every other field of its file. */
  readonly extra: Readonly<Record<string, unknown>>;
}

// --- what has been entered -------------------------------------------------------------------

export const allBid = ({ bids }: SheetRound) => !bids.includes(null);
export const isOver = (round: SheetRound) => allBid(round) && !round.won.includes(null);

/** The rounds that are over. */
export function finishedRounds({ rounds }: Sheet): readonly SheetRound[] {
  return rounds.length && !isOver(rounds.at(-1)!) ? rounds.slice(0, -1) : rounds;
}

/** The round that is not over yet, if there is one. */
export function underWay(sheet: Sheet): SheetRound | null {
  return sheet.rounds[finishedRounds(sheet).length] ?? null;
}

/** Whether the game has ended: with its schedule, or stopped before that. */
export function hasEnded(sheet: Sheet): boolean {
  return sheet.stopped || finishedRounds(sheet).length === sheet.rules.schedule.length;
}

/** Who sits at the table: the players of the last round, or all before the first. */
export function seatsOf({ rounds, players }: Pick<Sheet, 'rounds' | 'players'>): readonly number[] {
  return rounds.at(-1)?.seats ?? [...players.keys()];
}

// --- what may be entered ---------------------------------------------------------------------

/** Throws a `Refusal` for the first name that is not allowed on a sheet. */
export function checkNames(players: readonly string[]): void {
  if (!players.length || players.length > MAX_PEOPLE) {
    refuse('score.people', { n: players.length, most: MAX_PEOPLE });
  }
  const composed = players.map((each) => each.normalize());
  composed.forEach((name, at) => {
    if (!name.trim()) refuse('name.empty');
    if ([...name].length > MAX_NAME) refuse('name.long', { most: MAX_NAME });
    if (name !== name.trim() || UNFIT.test(name)) refuse('score.name_blanks', { name });
    if (composed.indexOf(name) < at) refuse('score.name_taken', { name });
  });
}

/** Control characters, line endings, and halves of surrogate pairs. */
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u;

/** Check everything. Throws a `Refusal` for a name, and for the first round that breaks a rule,
 * with its number. */
export function checkSheet(sheet: Sheet): Sheet {
  checkNames(sheet.players);
  const [rounds, most] = [sheet.rounds.length, sheet.rules.schedule.length];
  if (rounds > most) refuse('notation.too_many_rounds', { rounds, most });
  if (sheet.stopped && !rounds) refuse('score.nothing_to_stop');
  sheet.rounds.forEach((round, at) => {
    try {
      checkRound(sheet, round);
      checkEnd(sheet, at);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse('notation.at_round', { round: at + 1, why: error.reason });
    }
  });
  return sheet;
}

/** Check one round by itself. Throws a `Refusal`. */
export function checkRound(sheet: Sheet, round: SheetRound): void {
  checkSeats(sheet, round);
  checkBids(sheet, round);
  checkWon(sheet, round);
  checkCards(sheet, round);
}

/** The bid that a seat of a round (its place) must not make, because it would bring the total to
 * the number of tricks; `null` if any is allowed, or another seat still has to bid. */
export function forbiddenBid(rules: Rules, round: SheetRound, place: number): number | null {
  const others = round.bids.filter((_, at) => at !== place);
  if (rules.bid_total !== 'not_tricks' || others.includes(null)) return null;
  const left = round.hand_size - total(others);
  return left >= 0 ? left : null;
}

/** Whether bids are still hidden in a round, like `are_hidden` of src/rage/score/bidding.py. */
export function hidesBids({ bidding }: Rules, round: SheetRound): boolean {
  return allBid(round) ? bidding === 'secret' && !isOver(round) : bidding !== 'open';
}

export const total = (entries: Entries) =>
  entries.reduce<number>((all, each) => all + (each ?? 0), 0);

/** Only the last round can be unfinished, and none once the game is stopped; a player stays on one
 * team. */
function checkEnd({ rounds, stopped, rules, players }: Sheet, at: number): void {
  const round = rounds[at]!;
  if (!isOver(round) && at < rounds.length - 1) refuse('score.unfinished');
  if (!isOver(round) && stopped) refuse('score.stopped_unfinished');
  const { teams } = rules;
  if (teams === null) return;
  for (const before of rounds.slice(0, at)) {
    before.seats.forEach((player, place) => {
      const now = round.seats.indexOf(player);
      if (now >= 0 && (now - place) % teams) {
        refuse('score.team_changed', { player: players[player] });
      }
    });
  }
}

function checkSeats({ players, rules }: Sheet, { seats, hand_size, dealer }: SheetRound): void {
  const twice = seats.find((player, at) => seats.indexOf(player) < at);
  if (twice !== undefined) refuse('score.seated_twice', { player: players[twice] });
  if (!Number.isInteger(hand_size) || hand_size < 1 || hand_size > LIMITS.hand) {
    refuse('score.hand_size', { n: hand_size, most: LIMITS.hand });
  }
  checkPlayers({ ...rules, schedule: [hand_size] }, seats.length, true);
  if (!seats.includes(dealer)) refuse('score.dealer_away', { player: players[dealer] });
}

function checkBids({ players, rules }: Sheet, round: SheetRound): void {
  const most = round.hand_size;
  round.bids.forEach((bid, at) => {
    if (bid !== null && (bid < 0 || bid > most)) {
      refuse('score.bid', { player: players[round.seats[at]!], n: bid, most });
    }
  });
  if (allBid(round) && rules.bid_total === 'not_tricks' && total(round.bids) === most) {
    refuse('score.bid_total', { tricks: most });
  }
}

function checkWon({ players }: Sheet, round: SheetRound): void {
  const tricks = round.hand_size;
  round.won.forEach((won, at) => {
    if (won === null) return;
    if (!allBid(round)) refuse('score.bids_first');
    if (won < 0 || won > tricks) {
      refuse('score.won', { player: players[round.seats[at]!], n: won, most: tricks });
    }
  });
  const n = total(round.won);
  if (n > tricks || (isOver(round) && n < tricks)) refuse('score.won_total', { n, tricks });
}

function checkCards({ players, rules }: Sheet, round: SheetRound): void {
  const { pack } = rules;
  const said = { bonus: '+', mad: '-', edition: rules.edition };
  for (const [counts, card, most] of [
    [round.bonus, '+', pack.bonus],
    [round.mad, '-', pack.mad],
  ] as const) {
    const least = Math.min(...counts);
    if (least < 0) refuse('score.cards', { n: least, card, ...said });
    const n = total(counts);
    if (n > most) refuse('score.cards_total', { n, card, most, ...said });
  }
  round.seats.forEach((seat, at) => {
    const [won, n] = [round.won[at] ?? 0, round.bonus[at]! + round.mad[at]!];
    const player = players[seat];
    const card = round.bonus[at] ? '+' : '-';
    if (n && !won) refuse('score.cards_no_trick', { player, card, ...said });
    const most = won * round.seats.length;
    if (n > most) refuse('score.cards_in_tricks', { player, n, most, ...said });
  });
}

// --- entering --------------------------------------------------------------------------------

/** An empty sheet for players in their order clockwise. Throws a `Refusal`. */
export function newSheet(rules: Rules, players: readonly string[], extra: Sheet['extra']): Sheet {
  checkNames(players);
  checkPlayers(rules, players.length, true);
  return { rules, players, rounds: [], stopped: false, extra };
}

/** Who deals next: the first of these seats to the left of the last dealer; before the first round,
 * the first seat. */
export function nextDealer({ rounds }: Pick<Sheet, 'rounds'>, seats: readonly number[]): number {
  const last = rounds.at(-1);
  if (!last) return seats[0] ?? 0;
  const at = last.seats.indexOf(last.dealer);
  const left = [...last.seats.slice(at + 1), ...last.seats.slice(0, at + 1)];
  return left.find((player) => seats.includes(player)) ?? seats[0] ?? 0;
}

/** How a round begins, if not as usual. */
export type Beginning = Partial<Pick<SheetRound, 'seats' | 'dealer' | 'hand_size'>>;

/** Begin the next round: with the seats of the last one, the next dealer and the hand size of the
 * schedule, unless others are given. Throws a `Refusal`. */
export function beginRound(sheet: Sheet, given: Beginning = {}): Sheet {
  if (hasEnded(sheet)) refuse('score.over');
  if (underWay(sheet)) refuse('score.unfinished');
  const seats = given.seats ?? seatsOf(sheet);
  const round: SheetRound = {
    seats,
    hand_size: given.hand_size ?? sheet.rules.schedule[sheet.rounds.length]!,
    dealer: given.dealer ?? nextDealer(sheet, seats),
    bids: seats.map(() => null),
    won: seats.map(() => null),
    bonus: seats.map(() => 0),
    mad: seats.map(() => 0),
  };
  return checkSheet({ ...sheet, rounds: [...sheet.rounds, round] });
}

/** End the game now: entries for a round under way are dropped. Throws a `Refusal`. */
export function stop(sheet: Sheet): Sheet {
  const rounds = finishedRounds(sheet);
  if (!rounds.length) refuse('score.nothing_to_stop');
  return { ...sheet, rounds, stopped: rounds.length < sheet.rules.schedule.length };
}

// --- how things stand ------------------------------------------------------------------------

/** The points of a side for a round that is over, and whether its bid was met. */
export interface Points extends Required<Result> {
  readonly points: number;
  readonly met: boolean;
}

/** The points of a round, as far as it has been entered: by seat, or by team. */
export function accounts({ rules }: Sheet, round: SheetRound): Points[] {
  const seats = round.seats.map((_, at) => ({
    bid: round.bids[at] ?? 0,
    won: round.won[at] ?? 0,
    bonus: round.bonus[at]!,
    mad: round.mad[at]!,
  }));
  return sums(rules.teams, seats).map((side) => ({
    ...side,
    points: sidePoints(rules, round.hand_size, side),
    met: isMet(side),
  }));
}

/** The number of sides that score: the players, or the teams. */
export function sideCount({ rules, players }: Sheet): number {
  return rules.teams ?? players.length;
}

/** The same by side of the sheet: a player, by the place in `players`, or a team. */
export function bySide(sheet: Sheet, round: SheetRound): Map<number, Points> {
  const found = accounts(sheet, round);
  return new Map(found.map((each, at) => [sheet.rules.teams ? at : round.seats[at]!, each]));
}

/** After each round that is over, the points so far by side. */
export function totals(sheet: Sheet): number[][] {
  let sum = Array.from({ length: sideCount(sheet) }, () => 0);
  return finishedRounds(sheet).map((round) => {
    const found = bySide(sheet, round);
    sum = sum.map((before, side) => before + (found.get(side)?.points ?? 0));
    return sum;
  });
}

/** The points by side. */
export function scores(sheet: Sheet): number[] {
  return totals(sheet).at(-1) ?? Array.from({ length: sideCount(sheet) }, () => 0);
}

/** In how many rounds each side has met its bid. */
export function metCounts(sheet: Sheet): number[] {
  const rounds = finishedRounds(sheet).map((round) => bySide(sheet, round));
  return Array.from(
    { length: sideCount(sheet) },
    (_, side) => rounds.filter((round) => round.get(side)?.met).length,
  );
}

/** The sides that can lead and win: the teams, or the players of the last round that is over. */
export function present(sheet: Sheet): number[] {
  const { teams } = sheet.rules;
  if (teams) return Array.from({ length: teams }, (_, team) => team);
  return [...(finishedRounds(sheet).at(-1)?.seats ?? [])].sort((a, b) => a - b);
}

/** The sides that lead, by the `tie` of the rules; none before a round is over. */
export function leaders(sheet: Sheet): number[] {
  if (!finishedRounds(sheet).length) return [];
  const there = present(sheet);
  const of = (all: readonly number[]) => there.map((side) => all[side]!);
  const first = winners(sheet.rules, of(scores(sheet)), of(metCounts(sheet)));
  return first.map((at) => there[at]!);
}

/** The sides that have won; `null` until the game is over. */
export function winnersOf(sheet: Sheet): number[] | null {
  return hasEnded(sheet) ? leaders(sheet) : null;
}

/** The players of a side: one, or everyone who ever sat on a team. */
export function members(sheet: Sheet, side: number): number[] {
  const { teams } = sheet.rules;
  if (teams === null) return [side];
  const lists = sheet.rounds.length ? sheet.rounds.map(({ seats }) => seats) : [seatsOf(sheet)];
  return [...new Set(lists.flatMap((seats) => seats.filter((_, at) => at % teams === side)))];
}
