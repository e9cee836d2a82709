// Deals from a seed, and the commitments to it and to the players' words: docs/deals.md.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { pack } from './cards.ts';
import { refuse } from './refusal.ts';
import { checkPlayers, type Rules } from './rules.ts';

/** The cards of one round: the dealer's seat, the hands by seat as dealt, and the stock, top first.
 * */
export interface Deal {
  readonly dealer: number;
  readonly hands: readonly (readonly string[])[];
  readonly stock: readonly string[];
}

/** The commitment that is published before the game, as hexadecimal digits. */
export function commitment(seed: Uint8Array): string {
  return hash(`rage-commitment-1\n${bytesToHex(seed)}`);
}

/** The commitment that a player publishes to a word before any word is shown; valid only with this
 * `commitment` to the seed. */
export function wordCommitment(commitment: string, word: string): string {
  return hash(`rage-word-1\n${commitment}\n${hash(word)}`);
}

/** SHA-256 of a text in UTF-8, as hexadecimal digits. */
export function hash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Every deal of a game, from its seed and the players' words: none at all, or one a seat, empty if
 * not given. `first` is the dealer of the first round of the schedule, if the seed does not decide
 * it. Throws a `Refusal` for a wrong number of words or players. */
export class Dealer {
  readonly rules: Rules;
  readonly players: number;
  readonly first: number;
  readonly #key: Uint8Array;

  constructor(
    rules: Rules,
    players: number,
    seed: Uint8Array,
    words: readonly string[] = [],
    first: number | null = null,
  ) {
    checkPlayers(rules, players);
    if (words.length && words.length !== players) {
      refuse('words.refused', { words: words.length, players });
    }
    this.rules = rules;
    this.players = players;
    this.#key = sha256(
      utf8ToBytes(['rage-deal-1', bytesToHex(seed), ...words.map(hash)].join('\n')),
    );
    this.first = first ?? below(this.#numbers(0), players);
  }

  /** The deal of a round, by its number in the schedule from 1. */
  deal(round: number): Deal {
    const { players } = this;
    const cards = pack(this.rules);
    const numbers = this.#numbers(round);
    for (let i = cards.length - 1; i > 0; i--) {
      const j = below(numbers, i + 1);
      [cards[i], cards[j]] = [cards[j]!, cards[i]!];
    }
    const size = this.rules.schedule[round - 1];
    if (size === undefined) throw new RangeError(`no round ${round}`);
    return {
      dealer: (this.first + round - 1) % players,
      hands: Array.from({ length: players }, (_, seat) =>
        cards.slice(seat * size, (seat + 1) * size),
      ),
      stock: cards.slice(players * size),
    };
  }

  /** The counter stream: 32-bit numbers, eight from each hash of key, stream and block. */
  *#numbers(stream: number): Generator<number, never> {
    const input = new DataView(new ArrayBuffer(40));
    new Uint8Array(input.buffer).set(this.#key);
    input.setUint32(32, stream);
    for (let block = 0; ; block++) {
      input.setUint32(36, block);
      const hash = new DataView(sha256(new Uint8Array(input.buffer)).buffer);
      for (let i = 0; i < 32; i += 4) yield hash.getUint32(i);
    }
  }
}

/** A number from 0 to n - 1, exactly even: numbers at or above the largest multiple of n are thrown
 * away. */
export function below(numbers: Iterator<number, never>, n: number): number {
  const limit = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const number = numbers.next().value;
    if (number < limit) return number % n;
  }
}
