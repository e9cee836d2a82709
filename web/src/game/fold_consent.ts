// The facts about what people agree on while a game is played, folded into a table: whether it
// pauses, whether a bot plays for somebody, what is taken back or claimed.

import { change, seatsWith } from './changed.ts';
import type { Folded } from './fold.ts';
import type { Fact, ProposalView, TableView } from './types.ts';

type Change = (state: Folded, fact: any, at: number) => Folded;

/** The other seats whose persons play themselves. */
function consulted(table: TableView, seat: number): number[] {
  return table.seats.flatMap((each, at) =>
    at !== seat && each.person !== null && each.bot === null ? [at] : [],
  );
}

function restarted(state: Folded, phase: 'playing' | 'paused', at: number): Folded {
  return change(state, phase === 'playing' ? { phase, turn_since: at } : { phase });
}

function voted(state: Folded, fact: { seat: number; person: string; yes: boolean }): Folded {
  const seats = seatsWith(state.table, (seat, at) =>
    at === fact.seat ? { votes: { ...seat.votes, [fact.person]: fact.yes } } : null,
  );
  return change(state, { seats });
}

function botChanged(state: Folded, seat: number, bot: string | null, at: number): Folded {
  const { table } = state;
  const seats = seatsWith(table, (_, i) =>
    i !== seat ? null : bot === null ? { bot } : { bot, votes: {} },
  );
  const due = bot === null && table.phase === 'playing' && table.game?.to_act === seat;
  const turn_since = due ? at : table.turn_since;
  return change(state, { seats, proposal: null, turn_since });
}

function proposed(state: Folded, proposal: Partial<ProposalView> & { seat: number }): Folded {
  const { table } = state;
  const asked = consulted(table, proposal.seat);
  const usual = { ply: table.ply, count: 0, tricks: [], hand: '', agreed: [], asked } as const;
  return change(state, { proposal: { ...usual, ...proposal } as ProposalView });
}

function answered(state: Folded, fact: { seat: number; yes: boolean }): Folded {
  const { proposal } = state.table;
  if (!proposal || !fact.yes) return state;
  const agreed = [...new Set([...proposal.agreed, fact.seat])].sort((a, b) => a - b);
  return change(state, { proposal: { ...proposal, agreed } });
}

const CHANGES: Readonly<Record<string, Change>> = {
  paused: (state, _, at) => restarted(state, 'paused', at),
  resumed: (state, _, at) => restarted(state, 'playing', at),
  nudged: (state) => state,
  asked: (state, fact) => change(state, { asked: fact.ply === state.table.ply }),
  voted,
  stepped_in: (state, fact, at) => botChanged(state, fact.seat, fact.bot, at),
  took_back: (state, fact, at) => botChanged(state, fact.seat, null, at),
  undo_proposed: (state, { seat, ply, count }) =>
    proposed(state, { kind: 'undo', seat, ply, count }),
  claimed: (state, { seat, ply, tricks, hand }) => ({
    ...proposed(state, { kind: 'claim', seat, ply, tricks, hand }),
    undoable: false,
  }),
  answered,
  proposal_ended: (state) => change(state, { proposal: null }),
};

/** A fact about what people agree on; null for any other. */
export function foldConsent(state: Folded, fact: Fact, at: number): Folded | null {
  return CHANGES[fact.type]?.(state, fact, at) ?? null;
}
