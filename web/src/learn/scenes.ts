// The scenes of the guided round, worked out by src/rage/learn: they contain the consequences of
// every move, so no rules are needed here.

import { cardOf } from '../codes';
import type { WireReason } from '../say';

/** An event: a bid, a card, a new trump, or a trick that is won. */
export interface Step {
  readonly seat?: number;
  readonly bid?: number;
  readonly card?: string;
  readonly trump?: string | null;
  readonly winner?: number;
  readonly why?: WireReason;
}

/** The result of a choice: a refusal, or events and the next moment. */
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

/** The scenes in order, and the action card that each is about. */
export const SCENES = { follow: '', trump: '', wild: 'W', change: 'C', bid: '' } as const;
export type SceneName = keyof typeof SCENES;
export const NAMES = Object.keys(SCENES) as SceneName[];

type Built = { readonly scenes: Readonly<Record<SceneName, Scene>> };
const BUILT: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  poof: () => import('./built/poof.json'),
  amigo: () => import('./built/amigo.json'),
  fundex: () => import('./built/fundex.json'),
};

/** The scenes of an edition, or of the usual one if it has none. */
export async function scenesOf(edition: string): Promise<Built['scenes']> {
  const loaded = await (BUILT[edition] ?? BUILT['poof']!)();
  return (loaded.default as Built).scenes;
}

/** The moves that play a card at a moment: several if a colour is to be named. */
export function movesOf({ choices = {} }: Moment, card: string): string[] {
  return Object.keys(choices).filter((code) => choices[code]!.tell && cardOf(code) === card);
}
