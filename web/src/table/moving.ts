// Cards leave from where they are and arrive where they belong. Under reduced motion they fade.

import type { TransitionConfig } from 'svelte/transition';

/** How long my own moves take, and those of others, in milliseconds. */
export const MINE = 150;
export const THEIRS = 280;
/** How long a new trump takes to cover the cloth, and how long the one of a deal waits for the cards:
 * both at once are more than a slow phone can draw. */
const SWEEP = 600;
const DEALT = 480;

export const still = matchMedia('(prefers-reduced-motion: reduce)');
const ease = (t: number) => 1 - (1 - t) ** 3;

/** Where the card lay that I have just touched. */
let touched: DOMRect | null = null;

export function leaveFrom(node: Element | null): void {
  touched = node?.getBoundingClientRect() ?? null;
}

/** Let go of the keyboard's focus before the element that has it is removed: a browser that has to take
 * it away in the middle of a change lays out the page once more. Whoever removes the element puts the
 * focus somewhere else. */
export function letGo(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

const place = (node: Element, seat: number) =>
  node
    .closest('[data-table]')
    ?.querySelector(`[data-seat="${seat}"] .sign`)
    ?.getBoundingClientRect();

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

/** A card goes with its trick to the winner; one that was taken back only goes. */
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

interface Sweep {
  readonly x: number;
  readonly y: number;
  /** Whether it is that of a deal. */
  readonly dealt: boolean;
}

/** The new trump's dye spreads over the cloth from the player who has set it. */
export function sweep(_: Element, { x, y, dealt }: Sweep): TransitionConfig {
  if (still.matches) return { duration: MINE, css: (t) => `opacity: ${t}` };
  return {
    delay: dealt ? DEALT : 0,
    duration: SWEEP,
    css: (t) => `clip-path: circle(${150 * ease(t)}% at ${x}% ${y}%)`,
  };
}

/** What it spreads over stays until it is covered. */
export const stay = (_: Element): TransitionConfig => ({
  duration: still.matches ? MINE : SWEEP + DEALT,
});
