// Games are kept by the browser, which may remove them: when space is short, or for want of visits.

import { readStored, store } from '../stored';

const PLAYED = 'rage.alone.played';

/** There is a table here, which the browser may remove. */
export const sitDown = () => hasPlayed() || store(PLAYED, '1');

/** A game is over: there is something to keep from now on. */
export function gameOver(): void {
  store(PLAYED, '1');
  void keepForGood();
}

/** Whether there ever was a table here. */
export function hasPlayed(): boolean {
  return readStored(PLAYED) !== null;
}

/** Whether the browser has promised to keep what is stored; null where it promises nothing. */
export async function isKeptForGood(): Promise<boolean | null> {
  return (await navigator.storage?.persisted?.()) ?? null;
}

/** Ask the browser to promise it. */
export async function keepForGood(): Promise<boolean> {
  return (await navigator.storage?.persist?.().catch(() => false)) ?? false;
}
