// The coach of the guided round: introduces a scene, comments on every card, says what matters at
// the learner's turns, and says at the end how the bid turned out.

import { TableStore } from '../game/table.svelte';
import type { Choice, Coach, Lesson } from '../learn/coach';
import { type Line, line, t, type WireReason } from '../say';
import { settings } from '../settings.svelte';
import { announce } from '../shell/Live.svelte';
import { type Moment, NAMES, type Scene, SCENES } from './scenes';
import { Script } from './script';

/** Milliseconds to look at what happens, and to read a word: 200 words a minute. */
const LOOK_MS = 300;
const WORD_MS = 300;
const SLOWNESS = { slow: 1.6, usual: 1, quick: 0.6 };

interface Options {
  /** The scene, from 0. */
  readonly at: number;
  readonly scene: Scene;
  readonly edition: string;
  readonly name: string;
  readonly sign: string;
  readonly again: () => void;
  readonly next: (skipped: boolean) => void;
}

export class Guide implements Coach {
  readonly on = true;
  readonly store: TableStore;
  /** Whether the introduction is still shown, and the end once it is reached. */
  #intro = $state(true);
  #end = $state.raw<Moment | null>(null);
  /** Whether the comments have been read, so that there is time for a hint. */
  #read = $state(false);
  readonly #of: Options;
  #script: Script | null = null;

  constructor(of: Options) {
    this.#of = of;
    const { scene, name, sign } = of;
    this.store = new TableStore('learn', {
      connect: () =>
        (this.#script = new Script(scene, {
          name,
          sign,
          reading: (comment) => this.#reading(comment),
          reached: (moment) => this.#reached(moment),
        })),
    });
    this.store.askForHints(
      () => [],
      () => true,
    );
  }

  /** The title of the scene. */
  get title(): string {
    const { heard } = this.#spoken(this.#remark('name'));
    return t('learn.scene', { n: this.#of.at + 1, of: NAMES.length, name: { code: heard } });
  }

  readonly lesson: Lesson | null = $derived.by(() => {
    if (this.#intro) return { said: this.#spoken(this.#remark('intro')), choices: this.#starts };
    if (this.#end) return { said: this.#result(this.#end), choices: this.#ends(this.#end) };
    const { moves, note } = this.store;
    const hint = moves.mine && this.#read ? moves.turn?.hint : null;
    if (hint) return { said: this.#spoken(hint.reason) };
    return note && note.kind !== 'refusal' ? { said: note } : null;
  });

  /** Open the table. Returns a function that leaves it. */
  open(): () => void {
    announce(`${this.title}. ${this.lesson?.said.heard}`);
    return this.store.open();
  }

  /** Show at once everything still to come. */
  hurry(): void {
    this.store.skip();
    this.#script?.hurry();
  }

  get #starts(): Choice[] {
    const skip = { label: t('learn.skip'), onchoose: () => this.#of.next(true) };
    return [{ label: t('learn.begin'), primary: true, onchoose: () => this.#begin() }, skip];
  }

  #ends({ met }: Moment): Choice[] {
    return [
      { label: t('learn.next'), primary: met, onchoose: () => this.#of.next(false) },
      { label: t('learn.try_again'), primary: !met, onchoose: () => this.#of.again() },
    ];
  }

  #begin(): void {
    this.#intro = false;
    this.#script!.begin();
  }

  #reached(moment: Moment): void {
    this.#read = true;
    const { hint } = moment.turn ?? {};
    if (moment.account) this.#end = moment;
    announce(hint ? this.#spoken(hint.reason).heard : this.#result(moment).heard);
  }

  #result({ account, met }: Moment): Line {
    return this.#spoken({
      code: 'coach.both',
      first: account,
      second: this.#remark(met ? 'met' : 'missed'),
    });
  }

  #remark(which: string): WireReason {
    const name = NAMES[this.#of.at]!;
    return { code: `learn.${name}.${which}`, card: SCENES[name] };
  }

  #spoken(reason: WireReason): Line {
    const { edition, name } = this.#of;
    return line(reason, { edition, names: [name, ...this.store.names.slice(1)] });
  }

  #reading(comment: WireReason): number {
    this.#read = false;
    const words = this.#spoken(comment).text.split(/\s+/).length;
    return (LOOK_MS + words * WORD_MS) * SLOWNESS[settings.pace];
  }
}
