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

/** Keep the keyboard focus in a panel when the pressed button disappears: move it to the panel. */
export function keepInside(node: HTMLElement): () => void {
  let last: Node | null = null;
  const came = (event: FocusEvent) => (last = event.target as Node);
  const went = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !node.contains(relatedTarget)) last = null;
  };
  const watcher = new MutationObserver(() => {
    if (last === null || node.contains(last) || document.activeElement !== document.body) return;
    node.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  });
  node.addEventListener('focusin', came);
  node.addEventListener('focusout', went);
  watcher.observe(node, { childList: true, subtree: true });
  return () => watcher.disconnect();
}
