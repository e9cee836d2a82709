// What the people at a table may do about each other now, asked of the table as it is known. The
// server decides; this only says what is worth offering.

import { split } from '../game/cards.ts';
import type { Command, MeView, SaidView, SeatView, TableView } from '../game/types.ts';

/** Sends a command. Gives null once it is done, or why not as a sentence (empty: gone). */
export type Ask = (command: Command) => Promise<string | null>;

/** What the components here are told: the table, who I am in it, and how to ask for something. */
export interface Together {
  readonly table: TableView;
  readonly me: MeView;
  readonly ask: Ask;
}

export function isHost(table: TableView, me: MeView): boolean {
  return table.host === me.person;
}

/** Whether a person sits there and plays, and no bot. */
export function playsSelf(seat: SeatView): boolean {
  return seat.person !== null && seat.bot === null;
}

/** The persons who vote on a bot for a seat: the others who are here and play themselves. */
export function electors(table: TableView, at: number): string[] {
  return table.seats.flatMap((seat, other) =>
    other !== at && playsSelf(seat) && seat.here ? [seat.person!] : [],
  );
}

/** A seat that holds the others up, and what can be done about it. */
export interface Absent {
  readonly seat: number;
  readonly away: boolean;
  /** `vote`: I may say yes or no; `at_once`: I may let a bot play; `watch`: others may. */
  readonly how: 'vote' | 'at_once' | 'watch';
  readonly yes: number;
  readonly needed: number;
  readonly mine: boolean | null;
}

/** Whoever is awaited and away, or has been asked about: the one to act, if any. */
export function absent(table: TableView, me: MeView): Absent | null {
  const at = table.game?.to_act ?? null;
  const seat = at === null ? undefined : table.seats[at];
  if (table.phase !== 'playing' || at === null || !seat || !playsSelf(seat)) return null;
  const away = !seat.here;
  if (at === me.seat || !(away || table.asked)) return null;
  const who = electors(table, at);
  const votes = Object.entries(seat.votes).filter(([person]) => who.includes(person));
  return {
    seat: at,
    away,
    how: who.includes(me.person) ? howFor(table, away) : 'watch',
    yes: votes.filter(([, yes]) => yes).length,
    needed: Math.floor(who.length / 2) + 1,
    mine: seat.votes[me.person] ?? null,
  };
}

function howFor(table: TableView, away: boolean): Absent['how'] {
  if (table.options.takeover === 'vote') return 'vote';
  return away ? 'at_once' : 'watch';
}

/** How many tricks of the round under way are still to be won. */
export function tricksLeft(table: TableView): number {
  const size = table.game?.rounds.at(-1)?.hand_size ?? 0;
  return size - (table.game?.won ?? []).reduce((sum, each) => sum + each, 0);
}

/** Whether I may claim now, as far as can be seen: on my turn, the bids made, and not the last
 * trick, which plays itself. */
export function mayClaim(table: TableView, me: MeView): boolean {
  const { game, phase, proposal } = table;
  if (!game || phase !== 'playing' || proposal || me.seat === null) return false;
  const mine = game.to_act === me.seat && table.seats[me.seat]?.bot === null;
  return mine && !game.bidding && tricksLeft(table) > 1;
}

/** The seats that a proposal still waits for. */
export function awaited(table: TableView): number[] {
  const { proposal } = table;
  return proposal ? proposal.asked.filter((seat) => !proposal.agreed.includes(seat)) : [];
}

/** Whether what was proposed to be taken back has been, from the table before and after it: it is
 * not told as an event, for what has gone cannot be told in order. */
export function takenBack(before: TableView, after: TableView): boolean {
  const { proposal } = before;
  if (proposal?.kind !== 'undo' || after.proposal !== null || !after.game) return false;
  // Bids that nobody else sees cannot be counted; but everybody bids once.
  if (after.game.bidding) return after.game.to_act === proposal.seat;
  return decisions(after) < decisions(before);
}

function decisions({ game }: TableView): number {
  const { bids = [], tricks = [] } = game?.rounds.at(-1) ?? {};
  const cards = tricks.map(({ moves }) => split(moves).length);
  return bids.filter((bid) => bid !== null).length + cards.reduce((all, each) => all + each, 0);
}

/** The lines of whom I hear. */
export function heard(lines: readonly SaidView[], me: MeView): SaidView[] {
  return lines.filter(({ person }) => !me.muted.includes(person));
}

/** How many lines of others came after the one I have read. */
export function unread(lines: readonly SaidView[], me: MeView, read: number): number {
  return heard(lines, me).filter(({ seq, person }) => seq > read && person !== me.person).length;
}
