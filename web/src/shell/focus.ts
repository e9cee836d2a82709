// Where the keyboard goes on when what had the focus is gone.

import { tick } from 'svelte';

/** Once the page shows what has changed, give the focus to something, where nothing has it any more. */
export async function refocus(
  to: () => HTMLElement | null | undefined,
  options?: FocusOptions,
): Promise<void> {
  await tick();
  if (document.activeElement === document.body) to()?.focus(options);
}
