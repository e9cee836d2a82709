// Horizontal swipes over an element.

import type { Attachment } from 'svelte/attachments';

const LEAST = 36;

/** Calls `go` for each swipe: 1 for a swipe to the left (forward), -1 to the right (back). */
export function onSwipe(go: (by: 1 | -1) => void): Attachment<HTMLElement> {
  return (element) => {
    let from: { x: number; y: number } | null = null;
    const down = (event: PointerEvent) => {
      from = event.pointerType === 'mouse' ? null : { x: event.clientX, y: event.clientY };
    };
    const up = (event: PointerEvent) => {
      const x = event.clientX - (from?.x ?? event.clientX);
      const y = event.clientY - (from?.y ?? event.clientY);
      from = null;
      if (Math.abs(x) >= LEAST && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? 1 : -1);
    };
    const drop = () => (from = null);
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', drop);
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('pointercancel', drop);
    };
  };
}
