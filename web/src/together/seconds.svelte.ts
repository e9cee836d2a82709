// Counts the seconds until a moment.

/** Follows a moment of the server clock, in milliseconds, as long as a component lives. */
export class Seconds {
  #now = $state(Date.now());
  readonly #until: () => number | null;
  readonly #clockOffset: () => number;

  /** `clockOffset`: how far the server clock is ahead of this one. */
  constructor(until: () => number | null, clockOffset: () => number) {
    this.#until = until;
    this.#clockOffset = clockOffset;
    $effect(() => {
      if (until() === null) return;
      this.#now = Date.now();
      const timer = setInterval(() => (this.#now = Date.now()), 1000);
      return () => clearInterval(timer);
    });
  }

  /** The seconds left, never below 0; null without a moment. */
  get left(): number | null {
    const until = this.#until();
    if (until === null) return null;
    return Math.max(0, Math.ceil((until - this.#now - this.#clockOffset()) / 1000));
  }
}
