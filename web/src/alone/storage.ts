// Games are kept by the browser, which may remove them: when space is short, or without visits.

import { readStored, store } from '../stored';

const PLAYED = 'rage.alone.played';

/** Note that there is a table here, which the browser may remove. */
export const sitDown = () => hasPlayed() || store(PLAYED, '1');

/** Note that a game is over: from now on there is something to keep. */
export function gameOver(): void {
  store(PLAYED, '1');
  void keepForGood();
}

/** Whether there ever was a table here. */
export function hasPlayed(): boolean {
  return readStored(PLAYED) !== null;
}

/** Whether the browser has promised to keep stored data; null if it cannot. */
export async function isKeptForGood(): Promise<boolean | null> {
  return (await navigator.storage?.persisted?.()) ?? null;
}

/** Ask the browser for that promise. Returns whether it gave it. */
export async function keepForGood(): Promise<boolean> {
  return (await navigator.storage?.persist?.().catch(() => false)) ?? false;
}
