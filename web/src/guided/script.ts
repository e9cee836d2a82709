// The other side of the table in the guided round: answers like a server, from a scene, and leaves
// time to read each comment.

import type { Connection } from '../game/socket';
import type { Command } from '../game/types';
import type { WireReason } from '../say';
import type { Happening, Moment, Scene } from './scenes';

interface Asked {
  readonly ping?: number;
  readonly id?: number;
  readonly do?: Command;
}

export interface Reader {
  /** The name and the sign of the learner. */
  readonly name: string;
  readonly sign: string;
  /** Milliseconds to read a comment. */
  reading(comment: WireReason): number;
  /** Called at each decision and at the end, once the last comment is read. */
  reached(moment: Moment): void;
}

export class Script implements Connection {
  readonly readyState = 1;
  onopen: Connection['onopen'] = null;
  onmessage: Connection['onmessage'] = null;
  onclose: Connection['onclose'] = null;
  readonly #scene: Scene;
  readonly #reader: Reader;
  #moment: Moment;
  #seq: number;
  #hurry: (() => void) | null = null;
  #left = false;
  /** How many messages have been sent. */
  #told = 0;

  constructor(scene: Scene, reader: Reader) {
    this.#scene = scene;
    this.#reader = reader;
    this.#moment = scene.moments[0]!;
    this.#seq = scene.table.seq;
    queueMicrotask(() => {
      this.onopen?.(new Event('open'));
      this.#say(named(scene, reader));
    });
  }

  /** Play up to the first decision. */
  begin(): void {
    void this.#tell(this.#scene.begin, 0);
  }

  /** Skip the time to read. */
  hurry(): void {
    this.#hurry?.();
  }

  /** Answer later, as a network does. */
  send(text: string): void {
    queueMicrotask(() => this.#answer(JSON.parse(text) as Asked));
  }

  #answer(asked: Asked): void {
    if (asked.ping !== undefined) this.#say({ type: 'pong', now: Date.now() });
    if (asked.do?.type !== 'play') return;
    const { updates, next } = this.#moment.choices![asked.do.move]!;
    void this.#tell(updates, next, asked.id);
  }

  close(): void {
    this.#left = true;
    this.hurry();
  }

  async #tell(updates: readonly Happening[], next: number, id?: number): Promise<void> {
    const telling = ++this.#told;
    const moment = this.#scene.moments[next]!;
    // The cards are raised with the light, and can be played while the comment is still read.
    for (const [i, update] of updates.entries()) {
      const last = i === updates.length - 1;
      if (last) this.#moment = moment;
      const [turn, of] = [last ? moment.turn : undefined, i === 0 ? id : undefined];
      this.#seq += update.events.length;
      this.#say({ ...update, type: 'update', seq: this.#seq, id: of, turn });
      await this.#rest(update.events.at(-1)!.comment!);
      if (this.#left || telling !== this.#told) return;
    }
    this.#reader.reached(moment);
  }

  #say(message: object): void {
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  #rest(comment: WireReason): Promise<void> {
    return new Promise((go) => {
      const timer = setTimeout(go, this.#reader.reading(comment));
      this.#hurry = () => {
        clearTimeout(timer);
        go();
      };
    });
  }
}

/** The table of a scene, with the learner's own name and sign. */
function named({ table: full }: Scene, { name, sign }: Reader): object {
  const { table } = full;
  const seats = table.seats.map((seat, at) => (at === 0 ? { ...seat, name, sign } : seat));
  const players = seats.map((seat) => seat.name);
  const [me, game] = [
    { ...table.me, name },
    { ...table.game, players },
  ];
  return { ...full, now: Date.now(), table: { ...table, seats, me, game } };
}
