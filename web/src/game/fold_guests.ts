// The facts about who comes, goes, sits, watches and talks, folded into a table.

import { put } from './changed.ts';
import type { Folded } from './fold.ts';
import type { Fact, MeView, SeatView, SpectatorView, TableOptions, TableView } from './types.ts';

type Change = (table: TableView, fact: any, at: number) => TableView | null;

/** How many lines of chat a table tells again. */
const MOST_SAID = 50;

const EMPTY: SeatView = {
  name: '',
  person: null,
  bot: null,
  here: true,
  word: '',
  shows: false,
  votes: {},
};

const seatOf = (table: TableView, person: string) =>
  table.seats.findIndex((seat) => seat.person === person);

const withMe = (table: TableView, changes: Partial<MeView>): TableView =>
  table.me ? { ...table, me: { ...table.me, ...changes } } : table;

/** A seat that becomes nobody's: whoever sat there watches, and nobody looks into it. */
function emptied(table: TableView, at: number): TableView {
  const seat = table.seats[at]!;
  const up = seat.person === null ? [] : [watching(seat.person, seat.name, seat.here)];
  const spectators = [...drawn(table.spectators, at), ...up];
  const seats = put(table.seats, at, EMPTY);
  let next: TableView = { ...table, seats, spectators, proposal: null };
  if (table.me && seat.person === table.me.person) next = withMe(next, { seat: null });
  if (table.me?.looking === at) next = withMe(next, { looking: null });
  return next;
}

const watching = (person: string, name: string, here: boolean): SpectatorView => ({
  person,
  name,
  here,
  looking: null,
});

function drawn(spectators: readonly SpectatorView[], at: number): SpectatorView[] {
  return spectators.map((each) => (each.looking === at ? { ...each, looking: null } : each));
}

const without = (table: TableView, person: string): TableView => ({
  ...table,
  spectators: table.spectators.filter((each) => each.person !== person),
});

/** Those who play now are the players of the game. */
function named(table: TableView): TableView {
  if (!table.game || !['playing', 'paused'].includes(table.phase)) return table;
  return { ...table, game: { ...table.game, players: table.seats.map((seat) => seat.name) } };
}

function configured(
  table: TableView,
  fact: { rules: string; players: number; options: Partial<TableOptions> },
): TableView | null {
  const options = { ...table.options, ...fact.options, clock: fact.options.clock ?? null };
  if (fact.rules !== table.rules || fact.players !== table.seats.length) return null;
  if (options.known !== table.options.known && table.game) return null;
  if (options.spectators) return { ...table, options };
  if (table.me?.looking != null) return null;
  const spectators = table.spectators.map((each) => ({ ...each, looking: null }));
  return { ...table, options, spectators };
}

function joined(table: TableView, fact: { person: string; name: string }): TableView {
  return { ...table, spectators: [...table.spectators, watching(fact.person, fact.name, true)] };
}

function left(table: TableView, { person }: { person: string }): TableView | null {
  if (person === table.me?.person) return null;
  const seat = seatOf(table, person);
  return without(seat < 0 ? table : emptied(table, seat), person);
}

function renamed(table: TableView, fact: { person: string; name: string }): TableView {
  const { name } = fact;
  const mine = <T extends { person: string | null }>(each: T): T =>
    each.person === fact.person ? { ...each, name } : each;
  const next = { ...table, seats: table.seats.map(mine), spectators: table.spectators.map(mine) };
  return named(fact.person === table.me?.person ? withMe(next, { name }) : next);
}

function sat(
  table: TableView,
  { person, seat }: { person: string; seat: number },
  at: number,
): TableView {
  const before = seatOf(table, person);
  let next = emptied(before < 0 ? table : emptied(table, before), seat);
  const guest = next.spectators.find((each) => each.person === person);
  const { name, here } = guest ?? { name: '', here: true };
  next = without(
    { ...next, seats: put(next.seats, seat, { ...EMPTY, name, person, here }) },
    person,
  );
  if (person === table.me?.person) next = withMe(next, { seat, looking: null });
  if (table.phase === 'playing' && table.game?.to_act === seat) next = { ...next, turn_since: at };
  return named(next);
}

function botSat(table: TableView, fact: { seat: number; bot: string; name: string }): TableView {
  const { bot, name } = fact;
  const next = emptied(table, fact.seat);
  return named({ ...next, seats: put(next.seats, fact.seat, { ...EMPTY, bot, name }) });
}

function presence(table: TableView, fact: { person: string; present: boolean }, at: number) {
  const { person, present: here } = fact;
  const seat = seatOf(table, person);
  if (seat < 0) {
    const change = (each: SpectatorView) => (each.person === person ? { ...each, here } : each);
    return { ...table, spectators: table.spectators.map(change) };
  }
  const each = table.seats[seat]!;
  const seats = put(table.seats, seat, { ...each, here, votes: here ? {} : each.votes });
  const due = here && table.phase === 'playing' && table.game?.to_act === seat;
  return { ...table, seats, turn_since: due ? at : table.turn_since };
}

function handShown(table: TableView, fact: { seat: number; allowed: boolean }): TableView {
  const seat = { ...table.seats[fact.seat]!, shows: fact.allowed };
  const next = { ...table, seats: put(table.seats, fact.seat, seat) };
  if (fact.allowed) return next;
  const blind = table.me?.looking === fact.seat ? withMe(next, { looking: null }) : next;
  return { ...blind, spectators: drawn(table.spectators, fact.seat) };
}

function looked(table: TableView, fact: { person: string; seat?: number | null }): TableView {
  const looking = fact.seat ?? null;
  const change = (each: SpectatorView) =>
    each.person === fact.person ? { ...each, looking } : each;
  const next = { ...table, spectators: table.spectators.map(change) };
  return fact.person === table.me?.person ? withMe(next, { looking }) : next;
}

function chatted(table: TableView, fact: any, at: number): TableView {
  const { person, text = null, preset = null } = fact;
  const people = [...table.seats, ...table.spectators];
  const name = people.find((each) => each.person === person)?.name ?? '';
  const said = { seq: table.seq + 1, at, person, name, text, preset };
  return { ...table, chat: [...table.chat, said].slice(-MOST_SAID) };
}

const same: Change = (table) => table;

const CHANGES: Readonly<Record<string, Change>> = {
  configured,
  committed: (table, fact) => ({ ...table, games: fact.game, commitment: fact.hash }),
  sealed: same,
  joined,
  left,
  renamed,
  sat,
  bot_sat: botSat,
  vacated: (table, fact) => emptied(table, fact.seat),
  host_passed: (table, fact) => ({ ...table, host: fact.person ?? null }),
  word_said: (table, fact) => ({
    ...table,
    seats: put(table.seats, fact.seat, { ...table.seats[fact.seat]!, word: fact.word }),
  }),
  presence_set: presence,
  hand_shown: handShown,
  looked,
  chatted,
  muted: () => null, // of what was said before, I now hear more, or less
};

/** Whose cards one sees. */
const eye = ({ me }: TableView) => (me ? (me.seat ?? me.looking) : null);

/** A fact about people; null for any other, and where one sees other cards after it. */
export function foldGuests(state: Folded, fact: Fact, at: number): Folded | null {
  const before = state.table;
  const table = CHANGES[fact.type]?.(before, fact, at) ?? null;
  if (table === null) return null;
  if (table.game && eye(table) !== eye(before)) return null;
  return { ...state, table };
}
