// What this browser adds to the shuffle, by itself: a word that nobody can guess. The table is told
// only the commitment to it, until the commitments to the seed and to all words are fixed and noted
// here, with all else that the deal depends on (docs/deals.md). Whatever does not fit what was noted
// before is an alarm, and then nothing is revealed. Loaded while people gather; a game against bots
// that starts at once does without.

import { wordCommitment } from '../offline/deal.ts';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Command, GameData, TableData } from '../protocol.ts';
import { type Alarm, alike, note, type Witness, noted, otherTerm, type Terms } from './witness.ts';

/** How many words are remembered for one game: an older one may be what the table has. */
const MAX_WORDS = 4;
const RANDOM_BYTES = 16;

/** What is read of a table here: nothing of how its game stands. */
export type Shuffled = Omit<TableData, 'game'> & {
  readonly game: Pick<GameData, 'rounds'> | null;
};

/** What the shuffle needs of its table. */
export interface ShuffleTable {
  readonly code: string;
  /** Ask for something; null where it was done. */
  ask(command: Command): Promise<string | null>;
  /** Show what I typed, and what is wrong. */
  tell(typed: string, alarm: Alarm | null): void;
  /** The game has begun without a word of mine, which the table never had. */
  miss(): void;
}

export class Shuffle {
  readonly #of: ShuffleTable;
  #table: Shuffled | null = null;
  #asking = false;
  /** What was asked for last, so that no answer makes it ask again and again. */
  #asked = '';

  constructor(of: ShuffleTable) {
    this.#of = of;
  }

  /** Do what is due, after anything has happened at the table. */
  update(table: Shuffled): void {
    this.#table = table;
    const { games, commitment, phase } = table;
    const before = noted(this.#of.code, games);
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

  /** Somebody plays elsewhere as the same person, and may commit to another word there. */
  forget(): void {
    const table = this.#table;
    if (table && noted(this.#of.code, table.games)?.shown) this.#note({ shown: undefined });
  }

  /** Add a word that I have typed, and randomness with it; whether the table has it. */
  async add(typed: string): Promise<boolean> {
    const table = this.#table;
    const before = table && noted(this.#of.code, table.games);
    if (!table || !before || table.phase !== 'gathering') return false;
    const word = fresh(typed);
    const now = this.#note({ typed, words: [...(before.words ?? []), word].slice(-MAX_WORDS) });
    this.#of.tell(typed, now.alarm ?? null);
    return this.#ask({ type: 'commit_word', hash: wordCommitment(table.commitment, word) });
  }

  #note(changes: Partial<Witness>): Witness {
    return note(this.#of.code, this.#table!.games, changes);
  }

  /** What at the table contradicts what was noted before. */
  #wrong(table: Shuffled, now: Witness): Alarm | null {
    if (now.commitment !== table.commitment) return 'seed';
    if (table.phase === 'gathering') return null;
    const hashes = table.word_commitments;
    if (now.hashes && !alike(now.hashes, hashes)) return 'list';
    const mine = now.shown !== undefined && now.shown.seat === table.me?.seat;
    if (mine && ownWord(table, now) === undefined) return 'word';
    const term = now.terms && otherTerm(now.terms, termsOf(table, now.terms.dealer));
    return term || (hasMoved(table, now) ? 'seating' : null);
  }

  /** Send the commitment to my last word; the first word is made here. */
  #commit(table: Shuffled, now: Witness): void {
    const seat = table.me?.seat ?? null;
    if (seat === null) {
      this.#asked = ''; // whoever sits down again adds it again
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
      this.#asked = ''; // should another device of mine replace it, it is asked for again
      return;
    }
    if (!words.length) {
      const word = fresh('');
      this.#note({ words: [word] });
      hashes.push(wordCommitment(table.commitment, word));
    }
    void this.#once(`${table.games} ${seat}`, { type: 'commit_word', hash: hashes.at(-1)! });
  }

  /** Note the list of all commitments, and the terms, and only then reveal my word. */
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

  /** Ask for something, unless the same was the last that was asked for, and done. */
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

/** Which of my words is in the list of the table. */
function ownWord({ commitment, me, word_commitments }: Shuffled, now: Witness): string | undefined {
  const hash = word_commitments[me?.seat ?? -1];
  return now.words?.find((word) => wordCommitment(commitment, word) === hash);
}

/** What the deals of a table depend on beside seed and words; `dealer` is who was to deal first. */
function termsOf(table: Shuffled, dealer: number | null): Terms {
  const { schedule, pack } = table.settings;
  const { length: players } = table.seats;
  return { players, schedule, pack, dealer: dealerOf(table, dealer), seating: table.seating };
}

/** Whether somebody has another seat in the first round than when the words were fixed: a player may
 * leave, and a bot take the seat. Once the game has been seen, it may be given to a spectator, too.
 * Until then my own seat and the names count as well, because the table can call persons as it
 * likes. */
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

/** Who deals first: the table says so while words are revealed, and the first round after that,
 * which shows nothing where the seed was to say it. */
function dealerOf({ phase, first_dealer, game }: Shuffled, due: number | null): number | null {
  if (phase === 'revealing') return first_dealer;
  if (due === null) return null;
  return game?.rounds.find(({ number }) => number === 1)?.dealer ?? due;
}

/** Whether a game with others has begun without any of the words that I have made for it. */
function isMissing(table: Shuffled, now: Witness): boolean {
  const { me, seats } = table;
  if (now.missing || !now.words || me?.seat == null) return false;
  const others = seats.some(({ person }, at) => at !== me.seat && person !== null);
  return others && now.own === undefined && ownWord(table, now) === undefined;
}

/** What was typed, if anything, and randomness. */
function fresh(typed: string): string {
  const random = bytesToHex(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
  return typed ? `${typed} ${random}` : random;
}
