// What a table looks like to one person: the `table` of docs/protocol.md (`Table.view_for`).

import type { WireReason } from '../say.ts';

export interface Settings {
  readonly edition: string;
  readonly change: 'choose' | 'reveal';
  readonly out: 'round' | 'trick';
  readonly second_wild: 'lower' | 'higher';
  readonly schedule: readonly number[];
  readonly bidding: 'open' | 'hidden' | 'secret';
  readonly bid_total: 'any' | 'not_tricks';
  readonly teams: number | null;
  readonly pack: Readonly<Record<string, number>>;
  readonly [name: string]: unknown;
}

export interface ClockOption {
  readonly nudge: number;
  readonly ask: number;
  readonly hand_over: number;
}

export interface TableOptions {
  readonly access: 'open' | 'link';
  readonly undo: boolean;
  readonly known: boolean;
  readonly takeover: 'at_once' | 'vote';
  readonly spectators: boolean;
  readonly grace: number;
  readonly bot: string;
  readonly clock: ClockOption | null;
}

export interface SeatView {
  readonly name: string;
  readonly person: string | null;
  readonly bot: string | null;
  readonly here: boolean;
  readonly word: string;
  readonly shows: boolean;
  readonly votes: Readonly<Record<string, boolean>>;
}

export interface SpectatorView {
  readonly person: string;
  readonly name: string;
  readonly here: boolean;
  readonly looking: number | null;
}

export interface ProposalView {
  readonly kind: 'undo' | 'claim';
  readonly seat: number;
  readonly ply: number;
  readonly count: number;
  readonly tricks: readonly number[];
  readonly hand: string;
  readonly agreed: readonly number[];
  readonly asked: readonly number[];
}

export interface SaidView {
  readonly seq: number;
  readonly at: number;
  readonly person: string;
  readonly name: string;
  readonly text: string | null;
  readonly preset: string | null;
}

export interface MeView {
  readonly person: string;
  readonly name: string;
  readonly seat: number | null;
  readonly looking: number | null;
  readonly muted: readonly string[];
  readonly may_undo: boolean;
}

export type Cause = 'deal' | 'change' | 'out' | 'after';

export interface TurnView {
  readonly cause: Cause;
  readonly trick: number;
  readonly card: number;
  readonly seat: number | null;
  readonly cards: string;
  readonly trump: string | null;
}

export interface TrickView {
  readonly leader: number;
  readonly moves: string;
  readonly trump: string | null;
  readonly winner: number | null;
}

export interface RoundView {
  readonly number: number;
  readonly dealer: number;
  readonly hand_size: number;
  readonly bids: readonly (number | null)[];
  readonly turns: readonly TurnView[];
  readonly tricks: readonly TrickView[];
  readonly won: readonly number[] | null;
  readonly points: readonly number[] | null;
}

export interface GameView {
  readonly seat: number | null;
  readonly players: readonly string[];
  readonly first_round: number;
  readonly to_act: number | null;
  readonly bidding: boolean;
  readonly over: boolean;
  readonly trump: string | null;
  readonly led: string | null;
  readonly hand: string;
  readonly hand_sizes: readonly number[];
  readonly won: readonly number[];
  readonly bonus: readonly number[];
  readonly mad: readonly number[];
  /** Only where the table's option `known` is on, like `seen`. */
  readonly voids?: readonly string[];
  readonly seen?: string;
  readonly scores: readonly number[];
  readonly winners: readonly number[] | null;
  readonly rounds: readonly RoundView[];
}

export interface TableView {
  readonly seq: number;
  readonly ply: number;
  readonly phase: 'new' | 'gathering' | 'playing' | 'paused' | 'over';
  readonly rules: string;
  readonly settings: Settings;
  readonly options: TableOptions;
  readonly host: string | null;
  readonly games: number;
  readonly commitment: string;
  readonly seed: string | null;
  readonly turn_since: number;
  readonly asked: boolean;
  readonly seats: readonly SeatView[];
  readonly spectators: readonly SpectatorView[];
  readonly proposal: ProposalView | null;
  readonly chat: readonly SaidView[];
  readonly me: MeView | null;
  readonly game: GameView | null;
}

/** A fact of docs/table.md as this person may see it; what is usual is left out. */
export interface Fact {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Turn {
  readonly legal: string;
  readonly why_not: readonly (readonly [string, WireReason])[];
}

export interface Whole {
  readonly type: 'table';
  readonly seq: number;
  readonly now: number;
  readonly you: string;
  readonly table: TableView;
  readonly turn?: Turn;
}

export interface Update {
  readonly type: 'update';
  readonly seq: number;
  readonly at?: number;
  readonly events: readonly Fact[];
  readonly to_act?: number;
  readonly id?: number;
  readonly turn?: Turn;
}

export interface Refused {
  readonly type: 'refused';
  readonly id: number | null;
  readonly reason: WireReason & { code: string };
}

export interface Pong {
  readonly type: 'pong';
  readonly ping: number;
  readonly now: number;
}

export type Message = Whole | Update | Refused | Pong;

/** A command of docs/table.md. */
export interface Command {
  readonly type: string;
  readonly [field: string]: unknown;
}
