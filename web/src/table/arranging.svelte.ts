// Putting one's hand in order without dragging: a touch takes a card up, the next puts it down.

export class Arranging {
  /** Whether a touch of a card moves it, instead of playing it. */
  on = $state(false);
  /** Which card was touched first. */
  lifted = $state<string | null>(null);

  toggle(): void {
    this.on = !this.on;
    this.lifted = null;
  }

  /** A card was touched; the one that goes to its place, if one was lifted before. */
  touch(id: string): string | null {
    const { lifted } = this;
    this.lifted = lifted === null ? id : null;
    return lifted === id ? null : lifted;
  }
}
