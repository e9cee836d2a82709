// How far somebody has come in the guided round on this device.

import { store, storedData } from '../stored';

const KEY = 'rage.learn';
/** The number of scenes. */
export const SCENE_COUNT = 5;

export interface Progress {
  /** The scene to go on with, from 0. */
  readonly at: number;
  /** Whether the round was played to its end. */
  readonly done: boolean;
}

export function progress(): Progress {
  const { at = 0, done = false } = (storedData(KEY) ?? {}) as Partial<Progress>;
  return { at: Number.isInteger(at) && at >= 0 && at < SCENE_COUNT ? at : 0, done: done === true };
}

export function keepProgress(made: Progress): void {
  store(KEY, JSON.stringify(made));
}
