// Keyboard focus after its element is gone.

import { tick } from 'svelte';

/** Once changes are shown, focus an element if nothing has the focus any more. */
export async function refocus(
  to: () => HTMLElement | null | undefined,
  options?: FocusOptions,
): Promise<void> {
  await tick();
  if (document.activeElement === document.body) to()?.focus(options);
}
