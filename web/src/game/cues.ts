// What a fact sounds and looks like to a player.

import { isBid } from '../codes.ts';
import type { Sound } from '../settings';
import type { Fact, GameView, TableView } from './types.ts';

/** The sound of a fact, from the table after it; my own cards have sounded already. */
export function soundOf(fact: Fact, table: TableView | null): Sound | null {
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

/** Whether a side's bid of the round that has just ended was met. */
function isMet({ rounds, sides }: GameView, seat: number): boolean {
  return (rounds.at(-1)?.met ?? []).some((side) => sides[side]?.includes(seat));
}

/** How a fact looks in the line above the hand: my own trick is good news. */
export function noteOf(fact: Fact, seat: number | null): 'plain' | 'good' {
  return fact.type === 'trick_won' && fact['seat'] === seat ? 'good' : 'plain';
}
