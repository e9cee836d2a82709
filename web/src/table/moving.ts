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

/** Where the middle of something is on the cloth, in pixels from its far left corner, and how wide
 * it is. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Where the card lay that I have just touched. */
let touched: Spot | null = null;

/** Note where a card lies: measured when it is touched, before anything changes. What is measured in
 * the middle of a change is laid out twice. */
export function leaveFrom(node: Element): void {
  const cloth = node.closest('[data-table]')?.querySelector('.trick')?.getBoundingClientRect();
  const { x, y, width, height } = node.getBoundingClientRect();
  touched = cloth ? { x: x + width / 2 - cloth.x, y: y + height / 2 - cloth.y, width } : null;
}

/** Let go of the keyboard's focus before the element that has it is removed: a browser that has to take
 * it away in the middle of a change lays out the page once more. Whoever removes the element puts the
 * focus somewhere else. */
export function letGo(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** A card flies between its place and another. */
function between(own: Spot, other: Spot | null, duration: number, fade: boolean): TransitionConfig {
  if (still.matches || !other) return { duration, css: (t) => `opacity: ${t}` };
  const scale = Math.min(1.4, Math.max(0.35, other.width / own.width));
  return {
    duration,
    easing: ease,
    css: (t, u) =>
      `transform: translate(${(other.x - own.x) * u}px, ${(other.y - own.y) * u}px) ` +
      `scale(${1 + (scale - 1) * u});` +
      (fade ? `opacity: ${Math.min(1, t * 3)}` : ''),
  };
}

/** A card comes to its place in the trick: mine from my hand, another from its player. */
export function come(_: Element, { own, from, mine }: { own: Spot; from: Spot; mine: boolean }) {
  const start = (mine && touched) || from;
  if (mine) touched = null;
  return between(own, start, mine ? MINE : THEIRS, !mine);
}

/** A card goes with its trick to the winner; one that was taken back only goes. */
export function go(_: Element, { own, to }: { own: Spot; to: Spot | null }) {
  return between(own, to, THEIRS, true);
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
