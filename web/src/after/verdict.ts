// The verdict on the deals of a game: what the record proves (web/src/offline), whether the page
// shows the same game, and whether the record agrees with what this browser noted before the game.
// It claims no more than was proven.

import { ERASED, split } from '../codes.ts';
import { sortHand } from '../offline/cards.ts';
import { wordCommitment } from '../offline/deal.ts';
import { conclusion, type Finding, occupants, termsOf, verify } from '../offline/proof.ts';
import { Refusal } from '../offline/refusal.ts';
import type { Reason } from '../say.ts';
import type { Replay } from './replay.ts';
import {
  type Alarm,
  hashOfTricks,
  sameList,
  type Witness,
  firstDifference,
  type Terms,
} from '../fair/witness.ts';

/** `holds`: proven, and witnessed by this browser. `half`: nothing is wrong, but less is proven.
 * `fails`: something is wrong. `none`: it cannot be checked. */
export type Verdict = 'holds' | 'half' | 'fails' | 'none';

const ALARMS: readonly Alarm[] = [
  'seed', 'list', 'word', 'players', 'schedule', 'pack', 'dealer', 'seating', 'seat', 'cards',
]; // prettier-ignore

export interface Proof {
  readonly verdict: Verdict;
  /** The verdict as a sentence. */
  readonly title: Reason;
  readonly commitment: Finding | null;
  /** Findings about the words. */
  readonly words: readonly Finding[];
  /** Findings about seats exchanged before the first round. */
  readonly exchanged: readonly Finding[];
  /** Changes of names at seats later, and whether this browser saw events that said so (`null`: it
   * noted nothing). */
  readonly later: readonly { readonly reason: Reason; readonly told: boolean | null }[];
  readonly rounds: readonly Finding[];
  /** Whether the page shows the game of the record. */
  readonly shown: boolean;
  /** Contradictions between the record and what this browser noted before the game. */
  readonly contradictions: readonly Reason[];
  /** Whether this browser contributed a word and none of its words is in the deal. */
  readonly missing: boolean;
}

interface Written {
  readonly rounds?: readonly { readonly hands?: unknown; readonly dealer?: unknown }[];
}

/** The proof of a record, given as untrusted JSON data; `note` is what this browser noted. */
export function prove(record: unknown, replay: Replay, note: Witness | null): Proof {
  const shown = isShown(record, replay);
  const contradictions = note ? contradictionsOf(record, note) : [];
  const missing = note?.words !== undefined && !hasOwnWord(record, note);
  const more = { shown, contradictions, missing };
  try {
    const findings = verify(record);
    const rounds = findings.slice(findings.length - replayed(record));
    const [commitment = null, ...told] = findings.slice(0, findings.length - rounds.length);
    const words = told.filter(({ reason }) => reason.code.includes('.word'));
    const exchanged = told.filter(
      ({ reason, right }) => right === false && 'before' in (reason.params ?? {}),
    );
    const later = told
      .filter(({ reason }) => reason.code === 'verify.seat_later')
      .map(({ reason }) => ({ reason, told: wasTold(reason, note) }));
    const wrong = !shown || contradictions.length > 0;
    const untold = later.some(({ told }) => !told);
    const [verdict, title] = wrong
      ? wrongly(contradictions)
      : comesTo(findings, record, note, untold);
    return { verdict, title, commitment, words, exchanged, later, rounds, ...more };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [verdict, title]: Outcome = contradictions.length
      ? wrongly(contradictions)
      : ['none', { code: 'page.proof.none', params: { why: error.reason } }];
    const none = { words: [], exchanged: [], later: [], rounds: [] };
    return { verdict, title, commitment: null, ...none, ...more };
  }
}

type Outcome = readonly [Verdict, Reason];

function wrongly(contradictions: readonly Reason[]): Outcome {
  return ['fails', { code: contradictions.length ? 'page.proof.contradicts' : 'page.proof.fails' }];
}

/** The verdict on the findings, together with what was noted here. `untold`: this browser did not
 * see who got a seat later. */
function comesTo(
  findings: readonly Finding[],
  record: unknown,
  note: Witness | null,
  untold: boolean,
): Outcome {
  const { code, params } = conclusion(findings);
  if (code === 'verify.not_proven') return wrongly([]);
  if (code === 'verify.proven.no_words' && isAlone(record)) {
    return ['none', { code: 'page.proof.alone' }];
  }
  if (code !== 'verify.proven') {
    const how = code.slice('verify.proven.'.length);
    return ['half', { code: `page.proof.proven.${how}`, ...(params && { params }) }];
  }
  if (!note?.hashes || !note.terms) return ['half', { code: 'page.proof.unwatched' }];
  if (note.own !== undefined && hasOwnWord(record, note)) {
    return untold
      ? ['half', { code: 'page.proof.moved' }]
      : ['holds', { code: 'page.proof.holds' }];
  }
  return ['half', { code: note.late ? 'page.proof.late' : 'page.proof.watched' }];
}

/** Whether a record contains my word: the one in the noted list, if any. */
function hasOwnWord(record: unknown, { own, seat, words = [] }: Witness): boolean {
  const said = wordsOf(record);
  if (own !== undefined) return said[seat!] === own;
  return said.some((word) => word !== null && words.includes(word));
}

/** How a record contradicts what was noted before the game, or what went wrong at the table. */
function contradictionsOf(record: unknown, note: Witness): Reason[] {
  const hashes = listOf(record, 'word_commitments');
  const wrong: Partial<Record<Alarm, boolean>> = {
    seed: note.commitment !== textOf(record, 'commitment').toLowerCase(),
    list: note.hashes !== undefined && !sameList(note.hashes, hashes),
    word: (note.revealed === true && !hasOwnWord(record, note)) || isLeftOut(record, note),
    ...seenOtherwise(record, note),
  };
  const term = note.terms && termOf(record, note.terms);
  if (term) wrong[term] = true;
  const alarms = ALARMS.filter((each) => note.alarm === each || wrong[each]);
  return alarms.map((each) => ({ code: `page.alarm.${each}` }));
}

/** Whether the table showed a commitment of mine, but the record has another or none for the seat I
 * still had when the words were fixed. */
function isLeftOut(record: unknown, { shown, words = [] }: Witness): boolean {
  const seating = listOf(record, 'seating');
  const names = seating.length ? seating : listOf(record, 'players');
  if (!shown || names[shown.seat] !== shown.name) return false;
  const hash = listOf(record, 'word_commitments')[shown.seat];
  const commitment = textOf(record, 'commitment').toLowerCase(); // others are reported separately
  return !words.some((word) => wordCommitment(commitment, word) === hash);
}

/** Whether this browser saw the new holder of a seat announced; `null` if it noted nothing. */
function wasTold({ params }: Reason, note: Witness | null): boolean | null {
  if (!note?.hashes) return null;
  const { seat, name } = params ?? {};
  const erased = ERASED.test(String(name));
  return (note.told ?? []).some((each) =>
    erased ? each.startsWith(`${seat} `) : each === `${seat} ${name}`,
  );
}

/** Whether one person played alone with bots. */
function isAlone(record: unknown): boolean {
  const all = [record, ...listOf(record, 'earlier')].map((each) => listOf(each, 'bots'));
  return all.every((bots) => bots.filter((bot) => bot === null).length === 1);
}

/** Whether a record has other cards than I saw, or the name of another player in my seat. */
function seenOtherwise(record: unknown, note: Witness): { cards: boolean; seat: boolean } {
  const { first_round: first = 1, ...extra } = Object(record) as Record<string, unknown>;
  const { seating = [] } = note.terms ?? {};
  const wrong = { cards: false, seat: false };
  for (const [number, { seat = -1, hand, turned, tricks }] of Object.entries(note.rounds ?? {})) {
    const round = listOf(record, 'rounds')[Number(number) - Number(first)];
    const [dealt, stock] = [listOf(round, 'hands')[seat], textOf(round, 'stock')];
    wrong.cards ||=
      (hand !== undefined && sortHand(split(String(dealt))).join(' ') !== hand) ||
      !`${stock} `.startsWith(turned && `${turned} `) ||
      (tricks !== undefined && hashOfTricks(listOf(round, 'tricks')) !== tricks);
    const name = occupants(extra, listOf(record, 'players') as string[], Number(number))[seat]!;
    wrong.seat ||= seat === note.seat && name !== seating[seat] && seating.includes(name);
  }
  return wrong;
}

/** The first term that differs in a record; null if none does, or if the data is not a record. */
function termOf(record: unknown, noted: Terms): keyof Terms | null {
  try {
    const { rules, players, dealer, seating } = termsOf(record);
    const { schedule, pack } = rules;
    return firstDifference(noted, { players, schedule, pack, dealer, seating });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null; // the proof reports that
  }
}

/** Whether the shown hands and dealers match the record. */
function isShown(record: unknown, replay: Replay): boolean {
  const written = (record as Written | null)?.rounds ?? [];
  return (
    written.length === replay.rounds.length &&
    replay.rounds.every(
      ({ hands, dealer }, at) =>
        written[at]!.dealer === dealer &&
        JSON.stringify(written[at]!.hands) === JSON.stringify(hands),
    )
  );
}

function replayed(record: unknown): number {
  return (record as Written | null)?.rounds?.length ?? 0;
}

/** The words of a record by seat; empty if it has none. */
export function wordsOf(record: unknown): (string | null)[] {
  return listOf(record, 'words').map((word) =>
    typeof word === 'string' && word !== '' ? word : null,
  );
}

/** A field of a record as a list; empty for anything else. */
export function listOf(record: unknown, field: string): readonly unknown[] {
  const value = (record as Record<string, unknown> | null)?.[field];
  return Array.isArray(value) ? value : [];
}

/** A text field of a record; empty for anything else. */
export function textOf(record: unknown, field: string): string {
  const value = (record as Record<string, unknown> | null)?.[field];
  return typeof value === 'string' ? value : '';
}
