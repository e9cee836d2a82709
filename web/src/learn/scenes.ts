// The scenes of the guided round, as src/rage/learn has worked them out: what comes of every move is
// in them, so that nothing here has to know a rule.

import { cardOf } from '../codes';
import type { WireReason } from '../say';

/** Something that happens: a bid, a card, a new trump or a trick that is won. */
export interface Step {
  readonly seat?: number;
  readonly bid?: number;
  readonly card?: string;
  readonly trump?: string | null;
  readonly winner?: number;
  readonly why?: WireReason;
}

/** What comes of a choice: it is refused, or things happen and another moment comes. */
export interface Choice {
  readonly why?: WireReason;
  readonly tell?: readonly Step[];
  readonly next?: number;
}

/** A decision of the learner, or the end. */
export interface Moment {
  readonly over?: boolean;
  readonly met?: boolean;
  readonly account?: WireReason;
  readonly hand?: string;
  readonly trump?: string | null;
  readonly bidding?: boolean;
  readonly bids: readonly (number | null)[];
  readonly won: readonly number[];
  readonly trick?: readonly (readonly [number, string])[];
  readonly hint?: WireReason | null;
  readonly lit?: string;
  readonly choices?: Readonly<Record<string, Choice>>;
}

export interface Scene {
  readonly tell: readonly Step[];
  readonly moments: readonly Moment[];
}

/** The scenes in the order in which they are played, and the action card that each is about. */
export const SCENES = { follow: '', trump: '', wild: 'W', change: 'C', bid: '' } as const;
export type SceneName = keyof typeof SCENES;
export const NAMES = Object.keys(SCENES) as SceneName[];

type Built = { readonly scenes: Readonly<Record<SceneName, Scene>> };
const BUILT: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  poof: () => import('./built/poof.json'),
  amigo: () => import('./built/amigo.json'),
  fundex: () => import('./built/fundex.json'),
};

/** The scenes of an edition; of the usual one, where there are none. */
export async function scenesOf(edition: string): Promise<Built['scenes']> {
  const loaded = await (BUILT[edition] ?? BUILT['poof']!)();
  return (loaded.default as Built).scenes;
}

/** The moves that play a card at a moment: several, where a colour is to be named. */
export function movesOf({ choices = {} }: Moment, card: string): string[] {
  return Object.keys(choices).filter((code) => choices[code]!.tell && cardOf(code) === card);
}
