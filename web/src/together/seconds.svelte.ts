// How many seconds are left until a moment, as they go by.

/** Follows a moment by the server's clock, in milliseconds, for as long as a component is there. */
export class Seconds {
  #now = $state(Date.now());
  readonly #until: () => number | null;
  readonly #clockOffset: () => number;

  /** `clockOffset`: how far the server's clock is ahead of this one. */
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

  /** How many are left; none below 0, and null where there is no such moment. */
  get left(): number | null {
    const until = this.#until();
    if (until === null) return null;
    return Math.max(0, Math.ceil((until - this.#now - this.#clockOffset()) / 1000));
  }
}
