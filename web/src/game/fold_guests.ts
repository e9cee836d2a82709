// The facts about who comes, goes, sits, watches and talks, folded into a table.

import { put } from './copies.ts';
import { type FactOf, handle, type Handlers } from './facts.ts';
import type { Fact, MeView, SeatView, SpectatorView, TableView } from './types.ts';

const EMPTY: SeatView = {
  name: '',
  person: null,
  bot: null,
  here: true,
  word_commitment: null,
  word: '',
  shows: false,
};

const seatOf = (table: TableView, person: string) =>
  table.seats.findIndex((seat) => seat.person === person);

const withMe = (table: TableView, changes: Partial<MeView>): TableView =>
  table.me ? { ...table, me: { ...table.me, ...changes } } : table;

/** An emptied seat: the person who sat there watches, and nobody looks into it. */
function emptied(table: TableView, at: number): TableView {
  const seat = table.seats[at]!;
  const up = seat.person === null ? [] : [watching(seat.person, seat.name, seat.here)];
  const spectators = [...drawn(table.spectators, at), ...up];
  const seats = put(table.seats, at, EMPTY);
  let next: TableView = { ...table, seats, spectators };
  if (table.me && seat.person === table.me.person) next = withMe(next, { seat: null });
  if (table.me?.looking === at) next = withMe(next, { looking: null });
  return next;
}

const watching = (person: string, name: string, here: boolean): SpectatorView => ({
  person,
  name,
  here,
  looking: null,
  wants: null,
});

function drawn(spectators: readonly SpectatorView[], at: number): SpectatorView[] {
  return spectators.map((each) => (each.looking === at ? { ...each, looking: null } : each));
}

const without = (table: TableView, person: string): TableView => ({
  ...table,
  spectators: table.spectators.filter((each) => each.person !== person),
});

/** The players of the game by the names of those who sit there now. */
function named(table: TableView): TableView {
  if (!table.game || !['playing', 'paused'].includes(table.phase)) return table;
  return { ...table, game: { ...table.game, players: table.seats.map((seat) => seat.name) } };
}

function configured(table: TableView, fact: FactOf<'configured'>): TableView | null {
  const { options } = fact;
  if (fact.rules !== table.rules || fact.players !== table.seats.length) return null;
  if (options.known !== table.options.known && table.game) return null;
  if (options.spectators) return { ...table, options };
  if (table.me?.looking != null) return null;
  const spectators = table.spectators.map((each) => ({ ...each, looking: null }));
  return { ...table, options, spectators };
}

function joined(table: TableView, fact: FactOf<'joined'>): TableView {
  return { ...table, spectators: [...table.spectators, watching(fact.person, fact.name, true)] };
}

function left(table: TableView, { person }: FactOf<'left'>): TableView | null {
  if (person === table.me?.person) return null;
  const seat = seatOf(table, person);
  const next = without(seat < 0 ? table : emptied(table, seat), person);
  return person === table.owner ? { ...next, owner: table.host } : next;
}

function hostPassed(table: TableView, fact: FactOf<'host_passed'>): TableView {
  const host = fact.person ?? null;
  return { ...table, host, owner: guest(table, table.owner) ? table.owner : host };
}

/** Somebody at the table, seated or not. */
function guest({ seats, spectators }: TableView, person: string | null) {
  return [...seats, ...spectators].find((each) => person !== null && each.person === person);
}

/** The same with the time from which I may be host. Null where the server has to be asked: something
 * that it depends on has changed, and the host is away or I own the table. */
function withHostTime(before: TableView, table: TableView): TableView | null {
  const { me, host, owner } = table;
  const now = guest(table, host);
  if (!me || !now || hostKey(before) === hostKey(table)) return table;
  const nobody = host === me.person || (now.here && owner !== me.person);
  return nobody ? withMe(table, { host_free_at: null }) : null;
}

/** Everything that decides when I may be host, as text that can be compared. */
function hostKey(table: TableView): string {
  const { me, host, owner, seats } = table;
  const seated = seats.some(({ person }) => person !== null);
  return JSON.stringify([host, guest(table, host)?.here, owner, me?.seat === null, seated]);
}

function renamed(table: TableView, fact: FactOf<'renamed'>): TableView {
  const { name } = fact;
  const mine = <T extends { person: string | null }>(each: T): T =>
    each.person === fact.person ? { ...each, name } : each;
  const next = { ...table, seats: table.seats.map(mine), spectators: table.spectators.map(mine) };
  return named(fact.person === table.me?.person ? withMe(next, { name }) : next);
}

function sat(table: TableView, { person, seat }: FactOf<'sat'>, at: number): TableView {
  const before = seatOf(table, person);
  let next = emptied(before < 0 ? table : emptied(table, before), seat);
  const guest = next.spectators.find((each) => each.person === person);
  const { name, here } = guest ?? { name: '', here: true };
  const spectators = next.spectators.map((each) =>
    each.wants === seat ? { ...each, wants: null } : each,
  );
  next = { ...next, spectators };
  next = without(
    { ...next, seats: put(next.seats, seat, { ...EMPTY, name, person, here }) },
    person,
  );
  if (person === table.me?.person) next = withMe(next, { seat, looking: null });
  if (table.phase === 'playing' && table.game?.to_act === seat) next = { ...next, turn_since: at };
  return named(next);
}

function botSat(table: TableView, fact: FactOf<'bot_sat'>): TableView {
  const { bot, name } = fact;
  const next = emptied(table, fact.seat);
  return named({ ...next, seats: put(next.seats, fact.seat, { ...EMPTY, bot, name }) });
}

function presence(table: TableView, fact: FactOf<'presence_set'>, at: number) {
  const { person, present: here } = fact;
  const seat = seatOf(table, person);
  if (seat < 0) {
    const change = (each: SpectatorView) => (each.person === person ? { ...each, here } : each);
    return { ...table, spectators: table.spectators.map(change) };
  }
  const each = table.seats[seat]!;
  const seats = put(table.seats, seat, { ...each, here });
  const due = here && table.phase === 'playing' && table.game?.to_act === seat;
  return { ...table, seats, turn_since: due ? at : table.turn_since };
}

function handShown(table: TableView, fact: FactOf<'hand_shown'>): TableView {
  const seat = { ...table.seats[fact.seat]!, shows: fact.allowed };
  const next = { ...table, seats: put(table.seats, fact.seat, seat) };
  if (fact.allowed) return next;
  const blind = table.me?.looking === fact.seat ? withMe(next, { looking: null }) : next;
  return { ...blind, spectators: drawn(table.spectators, fact.seat) };
}

function looked(table: TableView, fact: FactOf<'looked'>): TableView {
  const looking = fact.seat ?? null;
  const change = (each: SpectatorView) =>
    each.person === fact.person ? { ...each, looking } : each;
  const next = { ...table, spectators: table.spectators.map(change) };
  return fact.person === table.me?.person ? withMe(next, { looking }) : next;
}

function word(table: TableView, fact: FactOf<'word_said' | 'word_revealed'>): TableView {
  const seat = { ...table.seats[fact.seat]!, word: fact.word };
  return { ...table, seats: put(table.seats, fact.seat, seat) };
}

const CHANGES: Handlers<TableView | null, [at: number]> = {
  configured,
  committed: (table, fact) => ({
    ...table,
    games: fact.game,
    commitment: fact.hash,
    of: fact.of ?? null,
  }),
  sealed: (table) => table,
  joined,
  left,
  renamed,
  sat,
  bot_sat: botSat,
  vacated: (table, fact) => emptied(table, fact.seat),
  host_passed: hostPassed,
  word_said: word,
  word_committed: (table, fact) => ({
    ...table,
    seats: put(table.seats, fact.seat, { ...table.seats[fact.seat]!, word_commitment: fact.hash }),
  }),
  words_closed: (table, fact) => ({
    ...table,
    phase: 'revealing',
    word_commitments: fact.hashes,
  }),
  word_revealed: word,
  presence_set: presence,
  hand_shown: handShown,
  looked,
  muted: () => null, // of what was said before, I now hear more, or less
  seat_asked: (table, { person, seat = null }) => ({
    ...table,
    spectators: table.spectators.map((each) =>
      each.person === person ? { ...each, wants: seat } : each,
    ),
  }),
  clock_set: () => null, // any time may be another now
};

/** The seat whose cards I see. */
const viewpoint = ({ me }: TableView) => (me ? (me.seat ?? me.looking) : null);

/** A fact about people; null for any other, and where I see other cards after it. */
export function foldGuests(before: TableView, fact: Fact, at: number): TableView | null {
  const table = handle(CHANGES, before, fact, at);
  if (table === null) return null;
  if (table.game && viewpoint(table) !== viewpoint(before)) return null;
  return withHostTime(before, table);
}
