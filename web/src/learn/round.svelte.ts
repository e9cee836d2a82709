// One scene while it is played: the cards on the table, the last remark, and the choices.

import { cardOf, withoutCard } from '../codes';
import type { WireReason } from '../say';
import type { Choice, Moment, Scene, Step } from './scenes';

/** Milliseconds for which a step is shown; longer with a sentence, so that it can be read. */
const CARD_MS = 650;
const WHY_MS = 1500;

export class Round {
  trick: readonly (readonly [number, string])[] = $state.raw([]);
  winner: number | null = $state(null);
  hand = $state('');
  trump: string | null = $state(null);
  bids: readonly (number | null)[] = $state.raw([]);
  won: readonly number[] = $state.raw([]);
  /** The current decision; null while steps are being shown. */
  moment: Moment | null = $state.raw(null);
  readonly #scene: Scene;
  readonly #say: (reason: WireReason) => void;
  #hurry: (() => void) | null = null;
  #left = false;

  constructor(scene: Scene, say: (reason: WireReason) => void) {
    this.#scene = scene;
    this.#say = say;
    const { hand = '', trump = null, won } = scene.moments[0]!;
    Object.assign(this, { hand, trump, won: won.map(() => 0), bids: won.map(() => null) });
  }

  /** Play up to the first decision. */
  begin(): Promise<void> {
    return this.#tell(this.#scene.tell, 0);
  }

  /** Make a legal choice. */
  choose({ tell = [], next = 0 }: Choice): Promise<void> {
    this.moment = null;
    return this.#tell(tell, next);
  }

  /** Skip the wait. */
  hurry(): void {
    this.#hurry?.();
  }

  /** Stop. */
  leave(): void {
    this.#left = true;
    this.hurry();
  }

  async #tell(steps: readonly Step[], next: number): Promise<void> {
    for (const step of steps) {
      if (this.#left) return;
      this.#show(step);
      await this.#wait(step.why ? WHY_MS : CARD_MS);
    }
    if (this.#left) return;
    const moment = this.#scene.moments[next]!;
    const { hand = '', trump = this.trump, bids, won, trick } = moment;
    Object.assign(this, { hand, trump, bids, won, moment });
    if (trick) [this.trick, this.winner] = [trick, null];
  }

  #show({ seat, bid, card, trump, winner, why }: Step): void {
    if (bid !== undefined) this.bids = this.bids.map((was, at) => (at === seat ? bid : was));
    if (card !== undefined) {
      const before = this.winner === null ? this.trick : [];
      [this.trick, this.winner] = [[...before, [seat!, card]], null];
      if (seat === 0) this.hand = withoutCard(this.hand, cardOf(card));
    }
    if (trump !== undefined) this.trump = trump;
    if (winner !== undefined) {
      this.winner = winner;
      this.won = this.won.map((won, at) => won + Number(at === winner));
    }
    const told = card === undefined ? 'event.bid' : 'event.play';
    this.#say(why ?? { code: told, player: seat, n: bid, card });
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((go) => {
      const timer = setTimeout(go, milliseconds);
      this.#hurry = () => {
        clearTimeout(timer);
        go();
      };
    });
  }
}
