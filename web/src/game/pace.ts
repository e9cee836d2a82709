// Shows fast events so that they can be followed: one after the other, each held for a while, never
// far behind, and all at once for people who do not want to wait.

export interface Step<T> {
  readonly value: T;
  /** How long to show it before the next one, in milliseconds: usually, and at least, so that
   * everything moving arrives before the next one begins. */
  readonly hold: number;
  readonly least?: number;
  /** Whether nothing is moving after it, so that a display far behind can jump to it. */
  readonly whole?: boolean;
}

/** The greatest lag of the display, in milliseconds; longer waits are sped up, and jump if that is
 * not enough. */
export const MAX_LAG = 6000;

export class Pace<T> {
  #steps: Step<T>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #resting = false;
  readonly #show: (value: T, quick: boolean) => void;
  readonly #idle: () => void;

  /** `show` is called for each value in order, with `quick` if it is skipped; `idle` once
   * everything has been shown and held. */
  constructor(show: (value: T, quick: boolean) => void, idle: () => void) {
    this.#show = show;
    this.#idle = idle;
  }

  /** Whether something is waiting or being held. */
  get busy(): boolean {
    return this.#resting || this.#steps.length > 0;
  }

  add(steps: readonly Step<T>[]): void {
    this.#steps.push(...steps);
    if (!this.#resting) this.#next();
  }

  /** Show everything now. */
  skip(): void {
    clearTimeout(this.#timer);
    this.#resting = false;
    const steps = this.#steps.splice(0);
    for (const { value } of steps) this.#show(value, true);
    this.#idle();
  }

  /** Drop everything that is waiting. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#steps = [];
    this.#resting = false;
  }

  #next(): void {
    this.#jump();
    const step = this.#steps.shift();
    if (!step) {
      this.#resting = false;
      return this.#idle();
    }
    const lag = this.#steps.reduce((sum, { hold }) => sum + hold, 0);
    const hold = Math.max(step.least ?? 0, step.hold * Math.min(1, MAX_LAG / lag));
    this.#resting = true;
    this.#show(step.value, false);
    // showing a value may have caused a skip
    if (this.#resting) this.#timer = setTimeout(() => this.#next(), hold);
  }

  /** If even the shortest holds lag too far behind, skip to the last step after which nothing is
   * moving. */
  #jump(): void {
    const least = this.#steps.reduce((sum, step) => sum + (step.least ?? 0), 0);
    if (least <= MAX_LAG) return;
    const to = this.#steps.map(({ whole = false }) => whole).lastIndexOf(true) + 1;
    for (const { value } of this.#steps.splice(0, to)) this.#show(value, true);
  }
}
