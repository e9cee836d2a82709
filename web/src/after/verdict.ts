// What the proof of a game comes to, for people: the findings of web/src/offline and whether the
// game that is shown is the one of the record.

import { type Finding, verify } from '../offline/proof.ts';
import { Refusal } from '../offline/refusal.ts';
import type { Reason } from '../say.ts';
import type { Replay } from './replay.ts';

export type Verdict = 'holds' | 'half' | 'fails' | 'none';

export interface Proof {
  readonly verdict: Verdict;
  /** Why nothing can be checked. */
  readonly why: Reason | null;
  readonly commitment: Finding | null;
  readonly rounds: readonly Finding[];
  /** Whether what the page shows is what the record says. */
  readonly shown: boolean;
}

interface Written {
  readonly rounds?: readonly { readonly hands?: unknown; readonly dealer?: unknown }[];
}

/** The proof of a record, which is JSON data as it came. */
export function prove(record: unknown, replay: Replay): Proof {
  const shown = isShown(record, replay);
  try {
    const [commitment, ...rounds] = verify(record);
    const all = [commitment!, ...rounds];
    const right = shown && all.every((finding) => finding.right !== false);
    const whole = commitment!.right === true;
    const verdict = !right ? 'fails' : whole ? 'holds' : 'half';
    return { verdict, why: null, commitment: commitment!, rounds, shown };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { verdict: 'none', why: error.reason, commitment: null, rounds: [], shown };
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

/** The words of a record by seat; none where it has none. */
export function wordsOf(record: unknown): (string | null)[] {
  const words = (record as { words?: unknown } | null)?.words;
  if (!Array.isArray(words)) return [];
  return words.map((word) => (typeof word === 'string' && word !== '' ? word : null));
}

/** A field of a record that is text. */
export function textOf(record: unknown, field: string): string {
  const value = (record as Record<string, unknown> | null)?.[field];
  return typeof value === 'string' ? value : '';
}
