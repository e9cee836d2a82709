// The scenes of the guided round, made by tools/generated/scenes.py as the messages of a table:
// they hold the consequences of every move, so no rules are needed here.

import type { Fact, FullTable, Turn } from '../game/types';
import type { Edition } from '../protocol';
import type { WireReason } from '../say';

/** Facts that happen at once: a decision and its consequences, with a comment on the last fact. */
export interface Happening {
  readonly events: readonly Fact[];
  readonly to_act: number | null;
}

/** A decision for the learner, or the end. */
export interface Moment {
  readonly turn?: Turn;
  readonly choices?: Readonly<Record<string, Choice>>;
  /** At the end: whether the bid was met, and the account of the points. */
  readonly met?: boolean;
  readonly account?: WireReason;
}

/** The consequences of a move, and the next moment. */
export interface Choice {
  readonly updates: readonly Happening[];
  readonly next: number;
}

export interface Scene {
  /** The table as it is dealt. */
  readonly table: FullTable;
  /** What happens before the first moment. */
  readonly begin: readonly Happening[];
  readonly moments: readonly Moment[];
}

/** The scenes in order, and the action card that each is about. */
export const SCENES = { follow: '', trump: '', wild: 'W', change: 'C', bid: '' } as const;
export type SceneName = keyof typeof SCENES;
export const NAMES = Object.keys(SCENES) as SceneName[];

export type Scenes = Readonly<Record<SceneName, Scene>>;
interface Built {
  readonly scenes?: Scenes;
  /** The edition with the same scenes, except for these rules of their tables. */
  readonly like?: string;
  readonly table?: Pick<FullTable['table'], 'rules' | 'settings'>;
}
const BUILT: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  poof: () => import('./built/poof.json'),
  amigo: () => import('./built/amigo.json'),
  fundex: () => import('./built/fundex.json'),
} satisfies Record<Edition, unknown>;

/** The scenes of an edition, or of the usual one if it has none. */
export async function scenesOf(edition: string): Promise<Scenes> {
  const loaded = await (BUILT[edition] ?? BUILT['poof']!)();
  const { scenes, like = 'poof', table } = loaded.default as Built;
  if (scenes) return scenes;
  const others = Object.entries(await scenesOf(like)).map(([name, { table: dealt, ...rest }]) => {
    return [name, { ...rest, table: { ...dealt, table: { ...dealt.table, ...table } } }];
  });
  return Object.fromEntries(others) as Scenes;
}
