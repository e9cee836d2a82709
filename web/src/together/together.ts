// What the people at a table may do about each other now, from the table as it is known. The server
// decides; this only says what to offer.

import type { Command, MeView, ProposalView, SaidView, TableView } from '../game/types.ts';

/** Sends a command. Gives null once it is done, or why not as a sentence (empty: gone). */
export type Ask = (command: Command) => Promise<string | null>;

/** The properties of the components here: the table, who I am in it, and how to ask for something. */
export interface Together {
  readonly table: TableView;
  readonly me: MeView;
  readonly ask: Ask;
  /** Whether I may claim the rest of the round now. */
  readonly may_claim?: boolean;
  /** How far the server's clock is ahead of this one, in milliseconds. */
  readonly clockOffset?: number;
}

export function isHost(table: TableView, me: MeView): boolean {
  return table.host === me.person;
}

/** How many tricks of the round under way are still to be won. */
export function tricksLeft(table: TableView): number {
  const size = table.game?.rounds.at(-1)?.hand_size ?? 0;
  return size - (table.game?.won ?? []).reduce((sum, each) => sum + each, 0);
}

/** The shares of a claim with one trick more or fewer for a seat. One more is one that nobody has
 * yet, or else one of mine; one fewer goes to me, unless too many are given away. */
export function shared(
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

/** Whether I have made the proposal: from my seat, or as a host without one. */
export function isMine(proposal: ProposalView, table: TableView, me: MeView): boolean {
  return proposal.seat === null ? isHost(table, me) : proposal.seat === me.seat;
}

/** The seats that a proposal still waits for. */
export function awaited(table: TableView): number[] {
  const { proposal } = table;
  return proposal ? proposal.asked.filter((seat) => !proposal.agreed.includes(seat)) : [];
}

/** The lines of the people whom I have not muted. */
export function heard(lines: readonly SaidView[], me: MeView): SaidView[] {
  return lines.filter(({ person }) => !me.muted.includes(person));
}
