// What is said to me while I am at a table: in the line above the hand, to who listens, by sound.

import { type Sound, settings } from '../settings.svelte';
import { type Line, line, t, type Telling } from '../say';
import { announce } from '../shell/Live.svelte';
import { tellPeople } from '../together/people.ts';
import { call } from './attention.ts';
import { cardOf, split } from './cards.ts';
import { noteOf, soundOf } from './cues.ts';
import { sound } from './sounds.ts';
import { type Level, tellFact } from './story.ts';
import type { Fact, GameView, RoundView, TableView } from './types.ts';

/** Something to be said to me in one line. */
export interface Note extends Line {
  readonly kind: 'plain' | 'refusal' | 'good' | 'bad';
}

/** As much of a table as is needed to speak of it. */
interface Told {
  readonly seat: number | null;
  readonly telling: Telling;
  readonly game: GameView | null;
  readonly round: RoundView | null;
  readonly bidding: boolean;
  readonly legal: readonly string[];
}

const LEVELS: readonly Level[] = ['brief', 'usual', 'full'];

/** Make a sound, where it is wanted. */
export function sounded(name: Sound | null): void {
  if (name && settings.sounds[name]) sound(name);
}

export class Narrator {
  note = $state.raw<Note | null>(null);
  readonly #of: Told;

  constructor(of: Told) {
    this.#of = of;
  }

  /** Say a line to who reads and to who listens. */
  say(note: Note): void {
    this.note = note;
    announce(note.heard, note.kind === 'refusal' ? 'assertive' : 'polite');
  }

  /** Tell a fact, as much of it as is wanted; `quick`: without its sound. */
  tell(fact: Fact, before: TableView, after: TableView, quick: boolean): void {
    const { seat, telling } = this.#of;
    const people = tellPeople(fact, before, after);
    for (const { reason, level } of people ? [people] : tellFact(after, fact)) {
      const told = line(reason, telling);
      const mine = fact.type === 'played' && fact['seat'] === seat;
      if (level !== 'full' && fact.type !== 'round_over')
        this.note = { ...told, kind: noteOf(fact, seat) };
      if (!mine && LEVELS.indexOf(level) <= LEVELS.indexOf(settings.narration))
        announce(told.heard);
    }
    if (!quick) sounded(soundOf(fact, after));
  }

  /** Call me: it is my turn. */
  tellMyTurn(): void {
    const { bidding, game, legal, round } = this.#of;
    sounded('turn');
    call();
    const n = new Set(legal.map(cardOf)).size;
    announce(
      bidding
        ? t('page.table.turn.bid', { most: round?.hand_size ?? 0 })
        : t('page.table.turn.card', { n, of: split(game?.hand ?? '').length }),
    );
  }
}
