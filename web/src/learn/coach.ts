// What a coach says at a table, in place of the table's own voice. At a usual table it is the
// server's coach (hints.svelte.ts).

import type { IconName } from '../icons/icons';
import type { Line } from '../say';
import type { Lit } from './coaching.svelte';

/** A button beside the words. */
export interface Choice {
  readonly label: string;
  /** Shown instead of the label where room is short. */
  readonly icon?: IconName;
  /** Whether it is what most people will do next. */
  readonly primary?: boolean;
  readonly onchoose: () => void;
}

/** What the coach says now. */
export interface Lesson {
  readonly said: Line;
  /** The cards, seats and bid that it is about, which are marked at the table. */
  readonly lit?: Lit | null;
  /** How many lessons I have had, and of how many. */
  readonly far?: { readonly had: number; readonly lessons: number };
  readonly choices?: readonly Choice[];
}

export interface Coach {
  /** Whether the coach sits at this table, even when silent: then its words have room. */
  readonly on: boolean;
  readonly lesson: Lesson | null;
}
