// Speaks to a player at a table: in the line above the hand, to screen readers, and by sound.

import { type Sound, settings } from '../settings.svelte';
import { type Line, line, t, type Telling } from '../say';
import { announce } from '../shell/Live.svelte';
import { tellPeople } from './people.ts';
import { signalTurn } from './attention.ts';
import { cardOf, isBid, split } from '../codes.ts';
import { sound } from './sounds.ts';
import { type Level, tellFact } from './story.ts';
import type { Fact, GameView, RoundView, TableView } from './types.ts';

/** A line for the player. */
export interface Note extends Line {
  readonly kind: 'plain' | 'refusal' | 'good';
  /** The seat it is about. */
  readonly seat?: number | undefined;
}

/** The parts of a table needed here. */
interface Context {
  readonly seat: number | null;
  readonly telling: Telling;
  readonly game: GameView | null;
  readonly round: RoundView | null;
  readonly bidding: boolean;
  readonly moves: { readonly legal: readonly string[]; readonly auto: string | null };
}

/** How long the end of a proposal stays, and news of people at most, in milliseconds. */
const ENDED_MS = 4000;
const NEWS_MS = 6000;
const LEVELS: readonly Level[] = ['brief', 'usual', 'full'];

/** Make a sound unless the settings turn it off, once the change it belongs to is being drawn. */
export function playSound(name: Sound | null): void {
  if (name && !settings.quiet && settings.sounds[name]) setTimeout(() => sound(name));
}

export class Narrator {
  /** The last line about the game, and news of people, which pass. */
  #note = $state.raw<Note | null>(null);
  #news = $state.raw<Note | null>(null);
  #passes: ReturnType<typeof setTimeout> | undefined;
  /** Until when the last line stays, whatever else happens. */
  #heldUntil = 0;
  readonly #of: Context;

  constructor(of: Context) {
    this.#of = of;
  }

  get note(): Note | null {
    return this.#news ?? this.#note;
  }

  /** Drop everything that was to be read. */
  clear(): void {
    this.#show(null);
  }

  #show(note: Note | null): void {
    this.#note = note;
    this.#news = null;
  }

  #showNews(note: Note): void {
    this.#news = note;
    clearTimeout(this.#passes);
    this.#passes = setTimeout(() => (this.#news = null), NEWS_MS);
  }

  /** Say a line on the screen and to screen readers. */
  say(note: Note): void {
    this.#show(note);
    announce(note.heard, note.kind === 'refusal' ? 'assertive' : 'polite');
  }

  /** Tell a fact in the detail chosen in the settings. */
  tell(fact: Fact, before: TableView, after: TableView): void {
    const { seat, telling } = this.#of;
    const people = tellPeople(fact, before, after);
    const { comment } = fact;
    const commented = comment && [{ reason: comment, level: 'brief' as const }];
    for (const { reason, level } of commented ?? (people ? [people] : tellFact(after, fact))) {
      const said = line(reason, telling);
      const mine = (fact.type === 'played' || fact.type === 'bid_sealed') && fact['seat'] === seat;
      if (level !== 'full' && fact.type !== 'round_over' && Date.now() >= this.#heldUntil) {
        const note = { ...said, kind: noteOf(fact, seat), seat: seatOf(fact) };
        if (people) this.#showNews(note);
        else this.#show(note);
      }
      if ((!mine || comment) && LEVELS.indexOf(level) <= LEVELS.indexOf(settings.narration))
        announce(said.heard);
    }
    // The event that ended it arrives at the same moment and would replace it unread.
    if (fact.type === 'proposal_ended' && fact.why === 'decided')
      this.#heldUntil = Date.now() + ENDED_MS;
  }

  /** Make the sound of a fact. */
  sound(fact: Fact, after: TableView): void {
    playSound(soundOf(fact, after));
  }

  /** The only card I could play, which plays itself. */
  get auto(): Line | null {
    const { game, moves, telling } = this.#of;
    if (moves.auto === null) return null;
    const last = split(game?.hand ?? '').length === 1;
    const code = last ? 'turn.last' : 'turn.only';
    return line({ code, params: { card: moves.auto } }, telling);
  }

  /** Announce that it is my turn, unless nothing is left for me to do. */
  tellMyTurn(): void {
    const { auto } = this;
    if (auto) return announce(auto.heard);
    const { bidding, game, moves, round } = this.#of;
    playSound('turn');
    signalTurn();
    if (bidding) return announce(t('page.table.turn.bid', { most: round?.hand_size ?? 0 }));
    const may = new Set(moves.legal.map(cardOf));
    const held = split(game?.hand ?? '');
    const n = held.filter((card) => may.has(card)).length;
    const choice =
      n === held.length
        ? t('page.table.turn.all')
        : t('page.table.turn.card', { n, of: held.length });
    const led = game?.led ? t('page.table.turn.led', { colour: game.led }) : '';
    announce(`${led} ${choice}`.trim());
  }
}

/** The sound of a fact, given the table after it; my own cards have already sounded. */
function soundOf(fact: Fact, table: TableView | null): Sound | null {
  const seat = table?.me?.seat ?? null;
  switch (fact.type) {
    case 'played':
      return fact['seat'] === seat || isBid(String(fact['move'] ?? '0')) ? null : 'card';
    case 'trick_won':
      return 'trick';
    case 'trump_set':
      return 'trump';
    case 'round_over':
      return seat === null || !table?.game ? null : isMet(table.game, seat) ? 'met' : 'missed';
    default:
      return null;
  }
}

/** Whether a side met its bid in the round that has just ended. */
function isMet({ rounds, sides }: GameView, seat: number): boolean {
  return (rounds.at(-1)?.met ?? []).some((side) => sides[side]?.includes(seat));
}

/** The seat of the player a fact is about. */
function seatOf(fact: Fact): number | undefined {
  return 'seat' in fact && typeof fact.seat === 'number' ? fact.seat : undefined;
}

/** The tone of a fact in the line above the hand: my own trick is good news. */
function noteOf(fact: Fact, seat: number | null): 'plain' | 'good' {
  return fact.type === 'trick_won' && fact['seat'] === seat ? 'good' : 'plain';
}
