// How a fact sounds and looks to a player.

import { isBid } from '../codes.ts';
import type { Sound } from '../settings';
import type { Fact, GameView, TableView } from './types.ts';

/** The sound of a fact, given the table after it; my own cards have already sounded. */
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

/** Whether a side met its bid in the round that has just ended. */
function isMet({ rounds, sides }: GameView, seat: number): boolean {
  return (rounds.at(-1)?.met ?? []).some((side) => sides[side]?.includes(seat));
}

/** The tone of a fact in the line above the hand: my own trick is good news. */
export function noteOf(fact: Fact, seat: number | null): 'plain' | 'good' {
  return fact.type === 'trick_won' && fact['seat'] === seat ? 'good' : 'plain';
}
