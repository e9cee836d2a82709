// Where one is in a finished game, and how one gets about in it.

import {
  clamp,
  find,
  type Moment,
  moments,
  nextTrick,
  type Replay,
  roundStart,
  type Scene,
  sceneAt,
} from './replay.ts';

/** How long a decision is shown while the game plays by itself, and a full trick. */
const PACE = 1100;
const PACE_TRICK = 2600;

export class Player {
  readonly replay: Replay;
  readonly all: readonly Moment[];
  /** The moment that is shown, by its place among all. */
  at = $state(0);
  playing = $state(false);
  readonly moment: Moment = $derived.by(() => this.all[this.at]!);
  readonly scene: Scene = $derived.by(() => sceneAt(this.replay, this.moment));
  /** The places of this round's moments: its first, and its last. */
  readonly range: readonly [number, number] = $derived.by(() => {
    const first = this.at - this.moment.step;
    return [first, first + this.scene.round.steps.length - 1];
  });
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(replay: Replay, written: string) {
    this.replay = replay;
    this.all = moments(replay);
    this.at = find(this.all, written);
  }

  /** Show a moment by its place; whoever goes somewhere wants to look, so nothing plays on. */
  go(at: number): void {
    this.stop();
    this.at = clamp(at, this.all.length);
  }

  goTo(written: string): void {
    this.go(find(this.all, written));
  }

  by(count: number): void {
    this.go(this.at + count);
  }

  byTrick(direction: 1 | -1): void {
    this.go(nextTrick(this.all, this.at, direction));
  }

  goRound(round: number): void {
    this.go(roundStart(this.all, round));
  }

  get ended(): boolean {
    return this.at === this.all.length - 1;
  }

  toggle(): void {
    if (this.playing) return this.stop();
    if (this.ended) this.at = 0;
    this.playing = true;
    this.#wait();
  }

  stop(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const full = this.scene.step.winner != null;
    this.#timer = setTimeout(() => this.#tick(), full ? PACE_TRICK : PACE);
  }

  #tick(): void {
    this.at = clamp(this.at + 1, this.all.length);
    if (this.ended) this.stop();
    else this.#wait();
  }

  /** What a key does anywhere on the page; whether it does anything. Up, down and the rest stay
   * with the browser, which scrolls with them. */
  key(key: string, shift: boolean): boolean {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : null;
    if (by !== null && shift) this.byTrick(by);
    else if (by !== null) this.by(by);
    else if (key === ' ' && !shift) this.toggle();
    else return false;
    return true;
  }
}
