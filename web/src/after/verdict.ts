// The verdict on the deals of a game: the findings of web/src/offline, whether the game that is shown
// is the one of the record, and whether the record agrees with what this browser noted before the
// game. It claims no more than was proven.

import { wordCommitment } from '../offline/deal.ts';
import { conclusion, type Finding, termsOf, verify } from '../offline/proof.ts';
import { Refusal } from '../offline/refusal.ts';
import type { Reason } from '../say.ts';
import type { Replay } from './replay.ts';
import { type Alarm, alike, type Witness, otherTerm, type Terms } from '../fair/witness.ts';

/** `holds`: proven, and watched by this browser. `half`: nothing is wrong, but less is proven.
 * `fails`: something is wrong. `none`: it cannot be checked. */
export type Verdict = 'holds' | 'half' | 'fails' | 'none';

const ALARMS: readonly Alarm[] = [
  'seed', 'list', 'word', 'players', 'schedule', 'pack', 'dealer', 'seating',
]; // prettier-ignore

export interface Proof {
  readonly verdict: Verdict;
  /** The verdict as a sentence. */
  readonly title: Reason;
  readonly commitment: Finding | null;
  /** What was found of the words, where there is something to say of them. */
  readonly words: readonly Finding[];
  /** What was found of seats that were exchanged before the first round. */
  readonly exchanged: readonly Finding[];
  readonly rounds: readonly Finding[];
  /** Whether what the page shows is what the record says. */
  readonly shown: boolean;
  /** What in the record differs from what this browser noted before the game. */
  readonly contradictions: readonly Reason[];
  /** Whether this browser made a word for the game, and none of its words is in the deal. */
  readonly missing: boolean;
}

interface Written {
  readonly rounds?: readonly { readonly hands?: unknown; readonly dealer?: unknown }[];
}

/** The proof of a record, which is JSON data as it came; `note` is what this browser noted. */
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
    const wrong = !shown || contradictions.length > 0;
    const [verdict, title] = wrong ? wrongly(contradictions) : comesTo(findings, record, note);
    return { verdict, title, commitment, words, exchanged, rounds, ...more };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [verdict, title]: Outcome = contradictions.length
      ? wrongly(contradictions)
      : ['none', { code: 'page.proof.none', params: { why: error.reason } }];
    return { verdict, title, commitment: null, words: [], exchanged: [], rounds: [], ...more };
  }
}

type Outcome = readonly [Verdict, Reason];

function wrongly(contradictions: readonly Reason[]): Outcome {
  return ['fails', { code: contradictions.length ? 'page.proof.contradicts' : 'page.proof.fails' }];
}

/** The verdict on the findings, together with what was noted here. */
function comesTo(findings: readonly Finding[], record: unknown, note: Witness | null): Outcome {
  const { code, params } = conclusion(findings);
  if (code === 'verify.not_proven') return wrongly([]);
  if (code !== 'verify.proven') {
    return ['half', { code: code.replace('verify', 'page.proof'), ...(params && { params }) }];
  }
  if (!note?.hashes || !note.terms) return ['half', { code: 'page.proof.unwatched' }];
  if (note.own !== undefined && hasOwnWord(record, note)) {
    return ['holds', { code: 'page.proof.holds' }];
  }
  return ['half', { code: note.late ? 'page.proof.late' : 'page.proof.watched' }];
}

/** Whether a word of mine is in a record: the one of the list, where that was noted. */
function hasOwnWord(record: unknown, { own, seat, words = [] }: Witness): boolean {
  const said = wordsOf(record);
  if (own !== undefined) return said[seat!] === own;
  return said.some((word) => word !== null && words.includes(word));
}

/** What in a record differs from what was noted before the game, or was wrong at the table. */
function contradictionsOf(record: unknown, note: Witness): Reason[] {
  const hashes = listOf(record, 'word_commitments');
  const wrong: Partial<Record<Alarm, boolean>> = {
    seed: note.commitment !== textOf(record, 'commitment').toLowerCase(),
    list: note.hashes !== undefined && !alike(note.hashes, hashes),
    word: (note.revealed === true && !hasOwnWord(record, note)) || isLeftOut(record, note),
  };
  const term = note.terms && termOf(record, note.terms);
  if (term) wrong[term] = true;
  const alarms = ALARMS.filter((each) => note.alarm === each || wrong[each]);
  return alarms.map((each) => ({ code: `page.alarm.${each}` }));
}

/** Whether the table has shown a commitment of mine and the record has another one, or none, for
 * the seat in which I still was when the words were fixed. */
function isLeftOut(record: unknown, { shown, words = [] }: Witness): boolean {
  const seating = listOf(record, 'seating');
  const names = seating.length ? seating : listOf(record, 'players');
  if (!shown || names[shown.seat] !== shown.name) return false;
  const hash = listOf(record, 'word_commitments')[shown.seat];
  const commitment = textOf(record, 'commitment').toLowerCase(); // another one is said by itself
  return !words.some((word) => wordCommitment(commitment, word) === hash);
}

/** Which of the terms differs in a record; null also for data that is not a record. */
function termOf(record: unknown, noted: Terms): keyof Terms | null {
  try {
    const { rules, players, dealer, seating } = termsOf(record);
    const { schedule, pack } = rules;
    return otherTerm(noted, { players, schedule, pack, dealer, seating });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return null; // which the proof says by itself
  }
}

/** Whether hands and dealers of what is shown are those of the record. */
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

/** The words of a record by seat; none where it has none. */
export function wordsOf(record: unknown): (string | null)[] {
  return listOf(record, 'words').map((word) =>
    typeof word === 'string' && word !== '' ? word : null,
  );
}

/** A field of a record as a list, which is empty for anything else. */
export function listOf(record: unknown, field: string): readonly unknown[] {
  const value = (record as Record<string, unknown> | null)?.[field];
  return Array.isArray(value) ? value : [];
}

/** A field of a record that is text. */
export function textOf(record: unknown, field: string): string {
  const value = (record as Record<string, unknown> | null)?.[field];
  return typeof value === 'string' ? value : '';
}
