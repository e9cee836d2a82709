// This browser's contribution to the shuffle: a word that nobody can guess. The table first gets
// only a commitment to it. The word is revealed once the commitments to the seed and to all words,
// and all else that the deal depends on, are fixed and noted here (docs/deals.md). A contradiction
// to what was noted raises an alarm, and then nothing is revealed. Loaded while people gather; a
// game against bots that starts at once does without.

import { wordCommitment } from '../offline/deal.ts';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Command, GameData, TableData } from '../protocol.ts';
import {
  type Alarm,
  sameList,
  note,
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
  readonly game: Pick<GameData, 'rounds'> | null;
};

/** What the shuffle needs of its table. */
export interface ShuffleTable {
  readonly code: string;
  /** Send a command; null if it was done. */
  ask(command: Command): Promise<string | null>;
  /** Show what I typed, and any error. */
  tell(typed: string, alarm: Alarm | null): void;
  /** Called when the game has begun without a word of mine, which the table never got. */
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

  /** Do what is due; called after every event at the table. */
  update(table: Shuffled): void {
    this.#table = table;
    const { games, commitment, phase } = table;
    const before = notesOn(this.#of.code, games);
    const early = phase === 'gathering' || phase === 'revealing';
    if (phase === 'over' || commitment === '' || !(before || early)) return;
    const now = before ?? this.#note({ commitment, at: Date.now() });
    const alarm = now.alarm ?? this.#wrong(table, now);
    if (alarm && !now.alarm) this.#note({ alarm });
    this.#of.tell(now.typed ?? '', alarm);
    if (alarm) return;
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

  /** The first contradiction between the table and what was noted before. */
  #wrong(table: Shuffled, now: Witness): Alarm | null {
    if (now.commitment !== table.commitment) return 'seed';
    if (table.phase === 'gathering') return null;
    const hashes = table.word_commitments;
    if (now.hashes && !sameList(now.hashes, hashes)) return 'list';
    const mine = now.shown !== undefined && now.shown.seat === table.me?.seat;
    if (mine && ownWord(table, now) === undefined) return 'word';
    const term = now.terms && firstDifference(now.terms, termsOf(table, now.terms.dealer));
    return term || (hasMoved(table, now) ? 'seating' : null);
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
    if (done && this.#table) this.update(this.#table); // something else may be due by now
    return done;
  }
}

/** The one of my words that is in the table's list. */
function ownWord({ commitment, me, word_commitments }: Shuffled, now: Witness): string | undefined {
  const hash = word_commitments[me?.seat ?? -1];
  return now.words?.find((word) => wordCommitment(commitment, word) === hash);
}

/** What the deals depend on besides seed and words; `dealer` is the first dealer that was
 * announced. */
function termsOf(table: Shuffled, dealer: number | null): Terms {
  const { schedule, pack } = table.settings;
  const { length: players } = table.seats;
  return { players, schedule, pack, dealer: dealerOf(table, dealer), seating: table.seating };
}

/** Whether a player has changed seats between fixing the words and the first round. A player may
 * leave and a bot take over; once the game was seen, a spectator may take the seat, too. Until then
 * my own seat and the names count as well, because the table chooses the ids of persons. */
function hasMoved({ game, me, seats }: Shuffled, note: Witness): boolean {
  const { people, seat: mine, seated = false, terms } = note;
  if (!people || game?.rounds.some(({ number }) => number > 1)) return false;
  if (!seated && mine !== undefined && (me?.seat ?? mine) !== mine) return true;
  const names = seated ? [] : (terms?.seating ?? []);
  return seats.some(
    ({ name, person }, seat) =>
      (name !== names[seat] && names.includes(name)) ||
      (person !== null && person !== people[seat] && (!seated || people.includes(person))),
  );
}

/** The first dealer: the table names it while words are revealed, and the first round shows it
 * afterwards, except where the seed decides. */
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
