// This browser's contribution to the shuffle: a word that no one can guess. The table first gets
// only a commitment to it. The word is revealed once the commitments to the seed and to all words,
// and everything else that the deal depends on, are fixed and noted here (docs/deals.md). A
// contradiction to the notes raises an alarm, and then nothing is revealed. Loaded while people
// gather; a game against bots that starts at once does without.

import { cardOf, split } from '../codes.ts';
import { sortHand } from '../offline/cards.ts';
import { wordCommitment } from '../offline/deal.ts';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Command, GameData, RoundData, TableData } from '../protocol.ts';
import {
  type Alarm,
  hashOfTricks,
  sameList,
  note,
  type Seen,
  type Witness,
  notesOn,
  firstDifference,
  type Terms,
} from './witness.ts';

/** How many words are remembered for a game, because the table may have an older one. */
const MAX_WORDS = 4;
const RANDOM_BYTES = 16;

/** The part of a table that is used here, without the state of its game. */
export type Shuffled = Omit<TableData, 'game'> & {
  readonly game: Pick<GameData, 'rounds' | 'seat' | 'hand'> | null;
};

/** The parts of a table that the shuffle needs. */
export interface ShuffleTable {
  readonly code: string;
  /** Send a command; null if it was done. */
  ask(command: Command): Promise<string | null>;
  /** Show the text that I typed, and any error. */
  tell(typed: string, alarm: Alarm | null): void;
  /** Called when the game has begun without a word of mine, because the table never got one. */
  miss(): void;
}

export class Shuffle {
  readonly #of: ShuffleTable;
  #table: Shuffled | null = null;
  #asking = false;
  /** The last command, so that an answer does not repeat it endlessly. */
  #asked = '';

  constructor(of: ShuffleTable) {
    this.#of = of;
  }

  /** Do the next step; called after every message about the table, with the `whole` of it or some
   * events. */
  update(table: Shuffled, whole = true): void {
    const last = this.#table;
    this.#table = table;
    const { games, commitment, phase } = table;
    const before = notesOn(this.#of.code, games);
    const early = isEarly(table);
    if (!before && (!early || commitment === '')) return;
    if (phase === 'over') {
      if (before && !before.alarm) this.#see(table);
      return;
    }
    const now = before ?? this.#note({ commitment, at: Date.now() });
    const alarm = now.alarm ?? this.#wrong(table, now);
    if (alarm && !now.alarm) this.#note({ alarm });
    this.#of.tell(now.typed ?? '', alarm);
    if (alarm) return;
    if (!whole && last?.games === games) this.#hear(last, table, now);
    if (phase !== 'gathering') this.#see(table);
    if (!early && now.people && !now.seated) this.#note({ seated: true });
    if (now.own && table.seats[now.seat!]?.word === now.own) this.#note({ revealed: true });
    if (phase === 'gathering') this.#commit(table, now);
    if (phase === 'revealing') this.#reveal(table, now);
    if (!early && isMissing(table, now)) {
      this.#note({ missing: true });
      this.#of.miss();
    }
  }

  /** The same person plays in another window, which may commit to another word. */
  forget(): void {
    const table = this.#table;
    if (table && notesOn(this.#of.code, table.games)?.shown) this.#note({ shown: undefined });
  }

  /** I have sent a command, which may be about my seat. */
  sent(command: Command): void {
    const table = this.#table;
    if (!table || !notesOn(this.#of.code, table.games)) return;
    const { type } = command;
    if (type === 'ask_for_seat') this.#note({ asked: command.seat ?? undefined });
    const gives = type === 'give_seat' && command.seat === table.me?.seat;
    if (type === 'leave' || gives) this.#note({ held: undefined });
  }

  /** Add a word that I typed, plus randomness. Returns whether the table accepted it. */
  async add(typed: string): Promise<boolean> {
    const table = this.#table;
    const before = table && notesOn(this.#of.code, table.games);
    if (!table || !before || table.phase !== 'gathering') return false;
    const word = fresh(typed);
    const now = this.#note({ typed, words: [...(before.words ?? []), word].slice(-MAX_WORDS) });
    this.#of.tell(typed, now.alarm ?? null);
    return this.#ask({ type: 'commit_word', hash: wordCommitment(table.commitment, word) });
  }

  #note(changes: Partial<Witness>): Witness {
    return note(this.#of.code, this.#table!.games, changes);
  }

  /** The first contradiction between the table and the notes. */
  #wrong(table: Shuffled, now: Witness): Alarm | null {
    if (now.commitment !== table.commitment) return 'seed';
    if (table.phase === 'gathering' && !now.hashes) return null;
    const hashes = table.word_commitments;
    if (now.hashes && !sameList(now.hashes, hashes)) return 'list';
    const mine = now.shown !== undefined && now.shown.seat === table.me?.seat;
    if (mine && ownWord(table, now) === undefined) return 'word';
    const term = now.terms && firstDifference(now.terms, termsOf(table, now.terms.dealer));
    if (term) return term;
    if (hasMoved(table, now)) return 'seating';
    if (isMoved(table, now)) return 'seat';
    return hasOtherHand(table, now) ? 'cards' : null;
  }

  /** Note the seats whose name changed by events. */
  #hear(last: Shuffled, { seats }: Shuffled, { told = [] }: Witness): void {
    const changed = seats.flatMap(({ name }, at) =>
      name === last.seats[at]?.name ? [] : [`${at} ${name}`],
    );
    if (changed.length) this.#note({ told: [...told, ...changed] });
  }

  /** Note my seat, and what I see of each round. */
  #see({ game, me, games }: Shuffled): void {
    const { held, rounds = {} } = notesOn(this.#of.code, games)!;
    const seat = me?.seat ?? null;
    if (seat !== null && seat !== held) this.#note({ held: seat, asked: undefined });
    const all = game?.rounds ?? [];
    const seen = all.map((round, at): [number, Seen] => {
      const mine = at === all.length - 1 && seat !== null && { seat, hand: handIn(game!, round) };
      const turned = round.trump_changes.map(({ cards }) => cards).filter(Boolean);
      const tricks = round.won && {
        tricks: hashOfTricks(round.tricks.map(({ moves }) => moves)),
      };
      const made = { ...mine, ...rounds[round.number], turned: turned.join(' '), ...tricks };
      return [round.number, made];
    });
    const made = { ...rounds, ...Object.fromEntries(seen) };
    if (JSON.stringify(made) !== JSON.stringify(rounds)) this.#note({ rounds: made });
  }

  /** Send the commitment to my last word; the first word is made here. */
  #commit(table: Shuffled, now: Witness): void {
    const seat = table.me?.seat ?? null;
    if (seat === null) {
      this.#asked = ''; // sitting down again adds it again
      if (now.shown) this.#note({ shown: undefined });
      return;
    }
    const words = now.words ?? [];
    const there = table.seats[seat]!.word_commitment;
    const hashes = words.map((word) => wordCommitment(table.commitment, word));
    const mine = there !== null && hashes.includes(there);
    const { name } = table.seats[seat]!;
    if (!mine && now.shown) this.#note({ shown: undefined });
    if (mine && (now.shown?.seat !== seat || now.shown.name !== name)) {
      this.#note({ shown: { seat, name } });
    }
    if (mine && there === hashes.at(-1)) {
      this.#asked = ''; // another device of mine may replace it; then it is sent again
      return;
    }
    if (!words.length) {
      const word = fresh('');
      this.#note({ words: [word] });
      hashes.push(wordCommitment(table.commitment, word));
    }
    void this.#once(`${table.games} ${seat}`, { type: 'commit_word', hash: hashes.at(-1)! });
  }

  /** Note all commitments and the terms, and only then reveal my word. */
  #reveal(table: Shuffled, now: Witness): void {
    const hashes = table.word_commitments;
    const seat = table.me?.seat ?? undefined;
    const own = ownWord(table, now);
    if (!now.hashes) {
      const late = table.seats.some(({ word }) => word !== '');
      const terms = termsOf(table, table.first_dealer);
      const people = table.seats.map(({ person }) => person);
      this.#note({ hashes, terms, people, late, ...(own !== undefined && { seat, own }) });
    }
    if (seat === undefined || own === undefined || table.seats[seat]!.word === own) return;
    void this.#once(`${table.games} reveal`, { type: 'reveal_word', word: own });
  }

  /** Send a command, unless the same one was the last to be done. */
  async #once(what: string, command: Command): Promise<boolean> {
    const asked = `${what} ${JSON.stringify(command)}`;
    if (this.#asking || this.#asked === asked) return false;
    this.#asked = asked;
    const done = await this.#ask(command);
    if (!done && this.#asked === asked) this.#asked = '';
    return done;
  }

  async #ask(command: Command): Promise<boolean> {
    this.#asking = true;
    const done = (await this.#of.ask(command)) === null;
    this.#asking = false;
    if (done && this.#table) this.update(this.#table); // there may be a next step by now
    return done;
  }
}

/** The one of my words that is in the table's list. */
function ownWord({ commitment, me, word_commitments }: Shuffled, now: Witness): string | undefined {
  const hash = word_commitments[me?.seat ?? -1];
  return now.words?.find((word) => wordCommitment(commitment, word) === hash);
}

/** The terms of the deals, apart from seed and words; `dealer` is the first dealer that was
 * announced. */
function termsOf(table: Shuffled, dealer: number | null): Terms {
  const { schedule, pack } = table.settings;
  const { length: players } = table.seats;
  return { players, schedule, pack, dealer: dealerOf(table, dealer), seating: table.seating };
}

/** Whether a player has changed seats between fixing the words and the end of the first round. A
 * player may leave and a bot take over; once the game has been seen, a spectator may take the seat,
 * too. Names count as well, because the table chooses the ids of people. Later, others may change
 * seats, but my own never gets another player's name. */
function hasMoved({ game, me, seats }: Shuffled, note: Witness): boolean {
  const { people, seat: mine, seated = false, terms } = note;
  if (!people) return false;
  const names = terms?.seating ?? [];
  const first = !game?.rounds.some(({ number }) => number > 1);
  return seats.some(
    ({ name, person }, seat) =>
      ((first || (seat === mine && me?.seat === seat)) &&
        name !== names[seat] &&
        names.includes(name)) ||
      (first && person !== null && person !== people[seat] && (!seated || people.includes(person))),
  );
}

/** Whether the table gives me a seat that I neither have nor asked for, or shows me another seat's
 * cards. */
function isMoved(table: Shuffled, { held, asked }: Witness): boolean {
  const seat = table.me?.seat ?? null;
  if (seat === null) return false;
  if (held !== undefined && seat !== held && seat !== asked) return true;
  return !isEarly(table) && (table.game?.seat ?? seat) !== seat;
}

/** Whether the hand that I was dealt has changed. */
function hasOtherHand({ game, me }: Shuffled, { rounds }: Witness): boolean {
  const round = game?.rounds.at(-1);
  const seen = round && rounds?.[round.number];
  if (!seen || seen.seat === undefined || seen.seat !== me?.seat) return false;
  return seen.hand !== handIn(game!, round);
}

/** The hand that I was dealt in the round under way: the cards I have and those I played. */
function handIn({ seat, hand, rounds }: NonNullable<Shuffled['game']>, round: RoundData): string {
  const players = round.bids.length;
  const played = round.tricks.flatMap(({ leader, moves }) => {
    const move = split(moves)[((seat ?? 0) - leader + players) % players];
    return move === undefined ? [] : [cardOf(move)];
  });
  return sortHand([...(round === rounds.at(-1) ? split(hand) : []), ...played]).join(' ');
}

function isEarly({ phase }: Shuffled): boolean {
  return phase === 'gathering' || phase === 'revealing';
}

/** The first dealer: named by the table while words are revealed, and shown by the first round
 * afterwards, except if the seed decides. */
function dealerOf({ phase, first_dealer, game }: Shuffled, due: number | null): number | null {
  if (phase === 'revealing') return first_dealer;
  if (due === null) return null;
  return game?.rounds.find(({ number }) => number === 1)?.dealer ?? due;
}

/** Whether a game with other people has begun without any of my words. */
function isMissing(table: Shuffled, now: Witness): boolean {
  const { me, seats } = table;
  if (now.missing || !now.words || me?.seat == null) return false;
  const others = seats.some(({ person }, at) => at !== me.seat && person !== null);
  return others && now.own === undefined && ownWord(table, now) === undefined;
}

/** The typed text, if any, plus randomness. */
function fresh(typed: string): string {
  const random = bytesToHex(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
  return typed ? `${typed} ${random}` : random;
}
