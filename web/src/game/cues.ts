// What a fact sounds and looks like to the one who plays.

import type { Sound } from '../settings';
import type { Fact, TableView } from './types.ts';

/** The sound of a fact, from the table after it; my own cards have sounded already. */
export function soundOf(fact: Fact, table: TableView | null): Sound | null {
  const seat = table?.me?.seat ?? null;
  switch (fact.type) {
    case 'played':
      return fact['seat'] === seat || /^\d|^$/.test(String(fact['move'] ?? '')) ? null : 'card';
    case 'trick_won':
      return 'trick';
    case 'trump_set':
      return 'trump';
    case 'round_over':
      return seat === null || !table ? null : isMet(table, seat) ? 'met' : 'missed';
    default:
      return null;
  }
}

/** Whether a side's bid of the round that has just ended was met. */
function isMet(table: TableView, seat: number): boolean {
  const round = table.game!.rounds.at(-1)!;
  const sides = round.points?.length ?? 1;
  const sum = (list: readonly (number | null)[]) =>
    list.reduce<number>(
      (all, each, at) => all + (at % sides === seat % sides ? (each ?? 0) : 0),
      0,
    );
  return sum(round.bids) === sum(round.won ?? []);
}

/** What is told about a trick of mine looks good. */
export function noteOf(fact: Fact, seat: number | null): 'plain' | 'good' {
  return fact.type === 'trick_won' && fact['seat'] === seat ? 'good' : 'plain';
}
