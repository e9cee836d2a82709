// How far the reader has come in the guided round on this device.

import { store, storedData } from '../stored';

const KEY = 'rage.learn';
/** The number of scenes. */
export const SCENE_COUNT = 5;

export interface Progress {
  /** The scene to continue with, from 0. */
  readonly at: number;
  /** Whether the round was played to its end. */
  readonly done: boolean;
  /** By scene, whether it was skipped when it was last left for the next one. */
  readonly skipped: Readonly<Record<number, boolean>>;
}

export function progress(): Progress {
  const { at = 0, done = false, skipped } = (storedData(KEY) ?? {}) as Partial<Progress>;
  return {
    at: Number.isInteger(at) && at >= 0 && at < SCENE_COUNT ? at : 0,
    done: done === true,
    skipped: typeof skipped === 'object' ? { ...skipped } : {},
  };
}

/** How many scenes were skipped. */
export const skippedIn = ({ skipped }: Progress): number =>
  Object.values(skipped).filter((each) => each === true).length;

export function keepProgress(made: Progress): void {
  store(KEY, JSON.stringify(made));
}
