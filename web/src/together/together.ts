// What people at a table can do about each other. The server decides; this only determines what to
// offer.

import type { Command, MeView, ProposalView, SaidView, TableView } from '../game/types.ts';
import type { Telling } from '../say.ts';

/** Sends a command. Returns null if it was done, or why not as a sentence (empty if the table is
 * gone). */
export type Ask = (command: Command) => Promise<string | null>;

/** The shared properties of the components here: the table, who I am in it, and how to send
 * commands. */
export interface Together {
  readonly table: TableView;
  readonly me: MeView;
  readonly ask: Ask;
  /** Whether I can claim the rest of the round now. */
  readonly may_claim?: boolean;
  /** How far the server clock is ahead of this one, in milliseconds. */
  readonly clockOffset?: number;
}

/** What others want of me: an answer to a `question`, or only that I read `news`. */
export type Asked = 'question' | 'news' | null;

/** How sentences name the players of a table: me as "you". */
export function tellingOf({ seats, me }: TableView): Telling {
  return { names: seats.map((seat) => seat.name), you: me?.seat ?? null };
}

/** Whether I am host; at an evening, its director decides. */
export function isHost(table: TableView, me: MeView): boolean {
  return !table.event && table.host === me.person;
}

/** How many tricks of the current round are still to be won. */
export function tricksLeft(table: TableView): number {
  const size = table.game?.rounds.at(-1)?.hand_size ?? 0;
  return size - (table.game?.won ?? []).reduce((sum, each) => sum + each, 0);
}

/** The shares of a claim with one trick more or fewer for a seat: taken from unassigned tricks
 * first, then from mine; a removed trick returns to me, unless too many are assigned. */
export function shiftShare(
  shares: readonly number[],
  total: number,
  mine: number,
  seat: number,
  by: 1 | -1,
): number[] {
  const next = [...shares];
  const free = total - next.reduce((sum, each) => sum + each, 0);
  if (next[seat]! + by < 0 || next[seat]! + by > total) return next;
  next[seat]! += by;
  if (seat === mine) return next;
  if (by < 0 ? free >= 0 : free <= 0 && next[mine]! > 0) next[mine]! -= by;
  return next;
}

/** Whether I made the proposal: from my seat, or as a host without one. */
export function isMine(proposal: ProposalView, table: TableView, me: MeView): boolean {
  return proposal.seat === null ? isHost(table, me) : proposal.seat === me.seat;
}

/** The seats whose consent is missing. */
export function pendingConsents(table: TableView): number[] {
  const { proposal } = table;
  return proposal ? proposal.asked.filter((seat) => !proposal.agreed.includes(seat)) : [];
}

/** The lines of people I have not muted. */
export function linesHeard(lines: readonly SaidView[], me: MeView): SaidView[] {
  return lines.filter(({ person }) => !me.muted.includes(person));
}
