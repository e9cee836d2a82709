// What arrives quickly, shown so that it can be followed: one step after the other, each held for a
// while, never far behind, and all of it at once for those who do not want to wait.

export interface Step<T> {
  readonly value: T;
  /** How long it is shown before the next one, in milliseconds. */
  readonly hold: number;
}

/** How far behind the display may be, in milliseconds; what would take longer is sped up. */
export const MAX_LAG = 2200;

export class Pace<T> {
  #steps: Step<T>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #resting = false;
  readonly #show: (value: T, quick: boolean) => void;
  readonly #idle: () => void;
  readonly #slowness: () => number;

  /** `show` is called for each value in order, `quick` where it is passed over; `idle` whenever
   * everything has been shown and held. `slowness`: how many times as long all of it may take. */
  constructor(
    show: (value: T, quick: boolean) => void,
    idle: () => void,
    slowness: () => number = () => 1,
  ) {
    this.#show = show;
    this.#idle = idle;
    this.#slowness = slowness;
  }

  /** Whether something is still to be shown, or being held. */
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

  /** Forget what was to be shown. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#steps = [];
    this.#resting = false;
  }

  #next(): void {
    const step = this.#steps.shift();
    if (!step) {
      this.#resting = false;
      return this.#idle();
    }
    const behind = this.#steps.reduce((sum, { hold }) => sum + hold, 0);
    const hurry = this.#slowness() * Math.min(1, MAX_LAG / behind);
    this.#resting = true;
    this.#show(step.value, false);
    // What was shown may have led to a skip.
    if (this.#resting) this.#timer = setTimeout(() => this.#next(), step.hold * hurry);
  }
}
