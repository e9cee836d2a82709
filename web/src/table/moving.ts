// Animates cards between their places. With reduced motion they fade.

import type { TransitionConfig } from 'svelte/transition';
import { FLIGHT_MS, flightAt } from '../game/hold';
import { settings } from '../settings.svelte';

/** The duration of my own moves, in milliseconds. */
export const MINE = 150;
/** How long a new trump takes to cover the cloth, and how long that of a deal waits for the cards,
 * because both at once are too slow on some phones. */
const SWEEP = 600;
const DEALT = 480;

export const still = matchMedia('(prefers-reduced-motion: reduce)');
const ease = (t: number) => 1 - (1 - t) ** 3;

/** The middle of something on the cloth, in pixels from its far left corner, and its width. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** The place of the card that I have just touched. */
let touched: Spot | null = null;

/** Note the place of a card when it is touched, before anything changes: measuring during a change
 * causes a second layout. */
export function leaveFrom(node: Element): void {
  const cloth = node.closest('[data-table]')?.querySelector('.trick')?.getBoundingClientRect();
  const { x, y, width, height } = node.getBoundingClientRect();
  touched = cloth ? { x: x + width / 2 - cloth.x, y: y + height / 2 - cloth.y, width } : null;
}

/** Blur an element before it is removed: a browser that must move the focus during a change lays
 * out the page once more. The caller moves the focus on. */
export function letGo(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Fly a card from another place to its own, or back. */
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

/** A card comes to the trick: mine from my hand, others from their players. */
export function come(_: Element, { own, from, mine }: { own: Spot; from: Spot; mine: boolean }) {
  const start = (mine && touched) || from;
  if (mine) touched = null;
  return between(own, start, mine ? MINE : flightAt(settings.pace), !mine);
}

/** A card goes with its trick to the winner, or at once if that was skipped; a card taken back just
 * goes. */
export function go(
  _: Element,
  { own, to, hurried }: { own: Spot; to: Spot | null; hurried: boolean },
) {
  return between(own, to, hurried ? 0 : flightAt(settings.pace), true);
}

/** Cards come into the hand one after the other. */
export function deal(_: Element, { at }: { at: number }): TransitionConfig {
  const delay = Math.min(at * 28, 360);
  if (still.matches) return { duration: MINE, css: (t) => `opacity: ${t}` };
  return {
    delay,
    duration: FLIGHT_MS,
    easing: ease,
    css: (t, u) => `transform: translateY(${-40 * u}%) rotate(${-6 * u}deg); opacity: ${t}`,
  };
}

/** How long a card moves within the hand. */
export const shift = () => ({ duration: still.matches ? 0 : MINE, easing: ease });

interface Sweep {
  readonly x: number;
  readonly y: number;
  /** Whether it is the trump of a deal. */
  readonly dealt: boolean;
}

/** The new trump's dye spreads over the cloth from the player who set it. */
export function sweep(_: Element, { x, y, dealt }: Sweep): TransitionConfig {
  if (still.matches) return { duration: MINE, css: (t) => `opacity: ${t}` };
  return {
    delay: dealt ? DEALT : 0,
    duration: SWEEP,
    css: (t) => `clip-path: circle(${150 * ease(t)}% at ${x}% ${y}%)`,
  };
}

/** The old cloth stays until it is covered. */
export const stay = (_: Element): TransitionConfig => ({
  duration: still.matches ? MINE : SWEEP + DEALT,
});
