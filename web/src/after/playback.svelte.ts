// The shown moment of a finished game, and moving through the game.

import {
  clamp,
  find,
  type Moment,
  moments,
  nextTrick,
  type Notable,
  notables,
  type Replay,
  roundStart,
  type Scene,
  sceneAt,
} from './replay.ts';
import type { AnalysisData, DecisionData } from '../protocol.ts';
import type { Reason } from '../say.ts';

/** The moment after a decision. */
export const placeOf = ({
  round,
  trick,
  card,
}: Pick<DecisionData, 'round' | 'trick' | 'card'>): string => [round, trick, card].join('.');

/** Milliseconds for which a decision, or a full trick, is shown during playback. */
const PACE = 1100;
const PACE_TRICK = 2600;

export class Playback {
  readonly replay: Replay;
  readonly all: readonly Moment[];
  /** The index of the shown moment. */
  at = $state(0);
  playing = $state(false);
  /** Whether the game with all hands is unfolded, as it is once a moment is chosen. */
  open = $state(false);
  /** The seat from whose viewpoint the game is seen; `null` shows all hands. */
  viewpoint: number | null = $state(null);
  readonly notables: readonly Notable[];
  /** The costs of the decisions, once worked out. */
  analysis: AnalysisData | null = $state.raw(null);
  /** Sentences about the clearly costly decisions, by moment. */
  costs: ReadonlyMap<string, Reason> = $state.raw(new Map());
  readonly moment: Moment = $derived.by(() => this.all[this.at]!);
  readonly scene: Scene = $derived.by(() => sceneAt(this.replay, this.moment));
  /** The players when this round was dealt. */
  readonly names: readonly string[] = $derived.by(() => this.scene.round.players);
  /** The indices of this round's first and last moments. */
  readonly range: readonly [number, number] = $derived.by(() => {
    const first = this.at - this.moment.step;
    return [first, first + this.scene.round.steps.length - 1];
  });
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(replay: Replay, written: string, viewpoint: number | null = null) {
    this.replay = replay;
    this.all = moments(replay);
    this.notables = notables(replay);
    this.see(viewpoint);
    this.at = find(this.all, written);
  }

  /** Show the moment of an index, and stop playback. */
  go(at: number): void {
    this.stop();
    this.open = true;
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

  /** See the game from a seat, or with all hands open if there is no such seat. */
  see(viewpoint: number | null): void {
    this.viewpoint =
      viewpoint !== null && viewpoint < this.replay.players.length ? viewpoint : null;
  }

  /** Whether a seat's hand is visible. */
  seesHand(seat: number): boolean {
    return this.viewpoint === null || this.viewpoint === seat;
  }

  /** Whether a seat's bid, if made, is visible. */
  seesBid(seat: number): boolean {
    return this.seesHand(seat) || !this.scene.step.hides_bids;
  }

  /** The fragment of a link to this moment; `link` is the game itself, if the link contains it
   * (docs/forms.md). */
  fragment(link: string): string {
    const { at } = this.moment;
    const viewpoint = this.viewpoint === null ? '' : `&viewpoint=${this.viewpoint}`;
    return link ? `${link}&at=${at}${viewpoint}` : at + viewpoint;
  }

  /** The index of the next notable moment in a direction, or `null`. */
  nextNotable(by: 1 | -1): number | null {
    const places = this.notables.map(({ at }) => find(this.all, at));
    const beyond = places.filter((at) => (by > 0 ? at > this.at : at < this.at));
    return (by > 0 ? beyond[0] : beyond.at(-1)) ?? null;
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

  /** Handle a key pressed anywhere on the page. Returns whether it was used; up, down and the rest
   * are left to the browser for scrolling. */
  key(key: string, shift: boolean): boolean {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : null;
    if (by !== null && shift) this.byTrick(by);
    else if (by !== null) this.by(by);
    else if (key === ' ' && !shift) this.toggle();
    else return false;
    return true;
  }
}
