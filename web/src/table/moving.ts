// Cards leave from where they are and arrive where they belong. Under reduced motion they fade.

import type { TransitionConfig } from 'svelte/transition';

/** What I do, what others do, in milliseconds. */
export const MINE = 150;
export const THEIRS = 250;

const still = matchMedia('(prefers-reduced-motion: reduce)');
const ease = (t: number) => 1 - (1 - t) ** 3;

/** Where the card lay that I have just touched. */
let touched: DOMRect | null = null;

export function leaveFrom(node: Element | null): void {
  touched = node?.getBoundingClientRect() ?? null;
}

const place = (node: Element, seat: number) =>
  node.closest('[data-table]')?.querySelector(`[data-seat="${seat}"]`)?.getBoundingClientRect();

function between(
  node: Element,
  other: DOMRect | null | undefined,
  duration: number,
  fade: boolean,
): TransitionConfig {
  if (still.matches || !other) return { duration, css: (t) => `opacity: ${t}` };
  const own = node.getBoundingClientRect();
  const dx = other.x + other.width / 2 - own.x - own.width / 2;
  const dy = other.y + other.height / 2 - own.y - own.height / 2;
  const scale = Math.min(1.4, Math.max(0.35, other.width / (own.width || 1)));
  return {
    duration,
    easing: ease,
    css: (t, u) =>
      `transform: translate(${dx * u}px, ${dy * u}px) scale(${1 + (scale - 1) * u});` +
      (fade ? `opacity: ${Math.min(1, t * 3)}` : ''),
  };
}

/** A card comes to the trick: mine from my hand, another from its player's place. */
export function come(node: Element, { seat, mine }: { seat: number; mine: boolean }) {
  const from = mine && touched ? touched : place(node, seat);
  if (mine) touched = null;
  return between(node, from, mine ? MINE : THEIRS, !mine);
}

/** A card goes with its trick to whoever won it; one that was taken back only goes. */
export function go(node: Element, { winner }: { winner: number | null }) {
  return between(node, winner === null ? null : place(node, winner), THEIRS, true);
}

/** A card comes into the hand, one after the other. */
export function deal(_: Element, { at }: { at: number }): TransitionConfig {
  const delay = Math.min(at * 28, 360);
  if (still.matches) return { duration: MINE, css: (t) => `opacity: ${t}` };
  return {
    delay,
    duration: THEIRS,
    easing: ease,
    css: (t, u) => `transform: translateY(${-40 * u}%) rotate(${-6 * u}deg); opacity: ${t}`,
  };
}

/** How long a card takes to its new place in the hand. */
export const shift = () => ({ duration: still.matches ? 0 : MINE, easing: ease });

/** The new trump goes out from whoever has set it to everyone. */
export function sweep(_: Element, { x, y }: { x: number; y: number }): TransitionConfig {
  if (still.matches) return { duration: THEIRS, css: (t) => `opacity: ${t}` };
  return { duration: 750, css: (t) => `clip-path: circle(${150 * ease(t)}% at ${x}% ${y}%)` };
}

/** The light that goes with it, and dies away. */
export function wash(_: Element, { x, y }: { x: number; y: number }): TransitionConfig {
  if (still.matches) return { duration: 0 };
  return {
    duration: 1100,
    css: (t, u) => `opacity: ${0.55 * u}; clip-path: circle(${160 * ease(t)}% at ${x}% ${y}%)`,
  };
}
