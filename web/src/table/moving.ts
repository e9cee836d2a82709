// Animates cards between their places. With reduced motion they fade.

import type { TransitionConfig } from 'svelte/transition';
import { FLIGHT_MS, flightAt } from '../game/hold';
import { settings } from '../settings.svelte';

/** The duration of my own moves, in milliseconds. */
export const MINE = 150;
/** How long a new trump takes to cover the cloth, and how long the trump of a deal waits for the
 * cards, because both at once are too slow on some phones. */
const SWEEP = 600;
const DEALT = 480;

export const still = matchMedia('(prefers-reduced-motion: reduce)');
const EASE = 'cubic-bezier(0.33, 1, 0.68, 1)';
const FADE_IN: Keyframe[] = [{ opacity: 0 }, { opacity: 1 }];
const FADE_OUT: Keyframe[] = [{ opacity: 1 }, { opacity: 0 }];

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

/** Blur an element before it is removed: a browser that must move the focus during a change does
 * another layout. The caller moves the focus on. */
export function letGo(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

const motions = new WeakMap<Element, Animation>();

/** Leave an animation to the browser, which needs nothing of the page meanwhile: Svelte would
 * compute all its frames before it begins. */
function move(node: Element, frames: Keyframe[], timing: KeyframeAnimationOptions): void {
  motions.get(node)?.cancel();
  motions.set(node, node.animate(frames, { fill: 'backwards', easing: EASE, ...timing }));
}

/** The transform that moves a card from its own place to another. */
function away(own: Spot, other: Spot): string {
  const scale = Math.min(1.4, Math.max(0.35, other.width / own.width));
  return `translate(${other.x - own.x}px, ${other.y - own.y}px) scale(${scale})`;
}

/** A card comes to the trick: mine from my hand, others from their players. */
export function come(
  node: Element,
  { own, from, mine }: { own: Spot; from: Spot; mine: boolean },
): TransitionConfig {
  const start = (mine && touched) || from;
  if (mine) touched = null;
  const flight = [
    { transform: away(own, start), opacity: mine ? 1 : 0 },
    { opacity: 1, offset: 1 / 3 },
    { transform: 'none', opacity: 1 },
  ];
  const duration = mine ? MINE : flightAt(settings.pace);
  move(node, still.matches ? FADE_IN : flight, { duration });
  return {};
}

/** A card goes with its trick to the winner, or at once if that was skipped; a card taken back just
 * disappears. */
export function go(
  node: Element,
  { own, to, hurried }: { own: Spot; to: Spot | null; hurried: boolean },
): TransitionConfig {
  if (hurried) return {};
  const duration = flightAt(settings.pace);
  const flight = (to: Spot) => [
    { transform: 'none', opacity: 1 },
    { opacity: 1, offset: 2 / 3 },
    { transform: away(own, to), opacity: 0 },
  ];
  move(node, still.matches || !to ? FADE_OUT : flight(to), { duration, fill: 'forwards' });
  return { duration };
}

/** Cards come into the hand one after the other. */
export function deal(node: Element, { at }: { at: number }): TransitionConfig {
  const drop = [
    { transform: 'translateY(-40%) rotate(-6deg)', opacity: 0 },
    { transform: 'none', opacity: 1 },
  ];
  if (still.matches) move(node, FADE_IN, { duration: MINE });
  else move(node, drop, { delay: Math.min(at * 28, 360), duration: FLIGHT_MS });
  return {};
}

interface Sweep {
  readonly x: number;
  readonly y: number;
  /** Whether it is the trump of a deal. */
  readonly dealt: boolean;
}

/** The new trump's dye spreads over the cloth from the player who set it. */
export function sweep(node: Element, { x, y, dealt }: Sweep): TransitionConfig {
  const circle = (part: number) => ({ clipPath: `circle(${part}% at ${x}% ${y}%)` });
  if (still.matches) move(node, FADE_IN, { duration: MINE });
  else move(node, [circle(0), circle(150)], { delay: dealt ? DEALT : 0, duration: SWEEP });
  return {};
}

/** The old cloth stays until it is covered. */
export const stay = (_: Element, { dealt }: Pick<Sweep, 'dealt'>): TransitionConfig => ({
  duration: still.matches ? MINE : SWEEP + (dealt ? DEALT : 0),
});
