// Folds facts about who comes, goes, sits, watches and talks. What they change for me (my seat,
// what I may do), who is the owner, and since when the turn lasts comes with the update (fold.ts).

import { put } from './copies.ts';
import { type FactOf, handle, type Handlers } from './facts.ts';
import type { Fact, SeatView, SpectatorView, TableView } from './types.ts';

const EMPTY: SeatView = {
  name: '',
  person: null,
  bot: null,
  here: true,
  word_commitment: null,
  word: '',
  shows: false,
  sign: '',
};

const seatOf = (table: TableView, person: string) =>
  table.seats.findIndex((seat) => seat.person === person);

/** Empty a seat: its person becomes a spectator, and nobody looks into its hand. */
function emptied(table: TableView, at: number): TableView {
  const seat = table.seats[at]!;
  const { person, name, here, sign } = seat;
  const up = person === null ? [] : [watching({ person, name, here, sign })];
  const spectators = [...drawn(table.spectators, at), ...up];
  const seats = put(table.seats, at, EMPTY);
  return { ...table, seats, spectators };
}

const watching = (
  each: Pick<SpectatorView, 'person' | 'name' | 'here' | 'sign'>,
  screen = false,
): SpectatorView => ({ ...each, looking: null, wants: null, screen });

function drawn(spectators: readonly SpectatorView[], at: number): SpectatorView[] {
  return spectators.map((each) => (each.looking === at ? { ...each, looking: null } : each));
}

const without = (table: TableView, person: string): TableView => ({
  ...table,
  spectators: table.spectators.filter((each) => each.person !== person),
});

const underWay = ({ phase }: TableView) => phase === 'playing' || phase === 'paused';

/** The player names of the game after a change of seats. */
function named(table: TableView): TableView {
  if (!table.game || !underWay(table)) return table;
  return { ...table, game: { ...table.game, players: table.seats.map((seat) => seat.name) } };
}

function configured(table: TableView, fact: FactOf<'configured'>): TableView | null {
  const { options } = fact;
  if (fact.rules !== table.rules || fact.players !== table.seats.length) return null;
  if (options.known !== table.options.known && table.game) return null;
  if (options.spectators) return { ...table, options };
  const spectators = table.spectators.map((each) => ({ ...each, looking: null }));
  return { ...table, options, spectators };
}

function joined(table: TableView, fact: FactOf<'joined'>): TableView {
  const { person, name, screen, sign = '' } = fact;
  const guest = watching({ person, name, here: true, sign }, screen);
  return { ...table, spectators: [...table.spectators, guest] };
}

function left(table: TableView, { person }: FactOf<'left'>): TableView | null {
  if (person === table.me?.person) return null;
  const seat = seatOf(table, person);
  return without(seat < 0 ? table : emptied(table, seat), person);
}

function renamed(table: TableView, fact: FactOf<'renamed'>): TableView {
  const { name, sign = '' } = fact;
  const mine = <T extends { person: string | null }>(each: T): T =>
    each.person === fact.person ? { ...each, name, sign } : each;
  const next = { ...table, seats: table.seats.map(mine), spectators: table.spectators.map(mine) };
  return named(next);
}

function sat(table: TableView, fact: FactOf<'sat'>): TableView {
  return fact.same_as == null ? seated(table, fact) : succeeded(table, fact, fact.same_as);
}

/** A player goes on, on another device: the old one is nobody at the table any more. */
function succeeded(table: TableView, fact: FactOf<'sat'>, old: string): TableView {
  const { name, sign } = table.seats[fact.seat]!;
  const next = without(seated(table, fact), old);
  const seats = put(next.seats, fact.seat, { ...next.seats[fact.seat]!, name, sign });
  return named({ ...next, seats, host: table.host === old ? fact.person : table.host });
}

function seated(table: TableView, { person, seat }: FactOf<'sat'>): TableView {
  const before = seatOf(table, person);
  let next = emptied(before < 0 ? table : emptied(table, before), seat);
  const guest = next.spectators.find((each) => each.person === person);
  const { name, here, sign } = guest ?? { name: '', here: true, sign: '' };
  const spectators = next.spectators.map((each) =>
    each.wants === seat ? { ...each, wants: null } : each,
  );
  next = { ...next, spectators };
  next = without(
    { ...next, seats: put(next.seats, seat, { ...EMPTY, name, person, here, sign }) },
    person,
  );
  return named(next);
}

function botSat(table: TableView, fact: FactOf<'bot_sat'>): TableView {
  const { bot, name } = fact;
  const next = emptied(table, fact.seat);
  // During a game the seat goes on to look the same.
  const kept = underWay(table) ? table.seats[fact.seat]!.sign.slice(0, 2) : '';
  return named({ ...next, seats: put(next.seats, fact.seat, { ...EMPTY, bot, name, sign: kept }) });
}

function presence(table: TableView, fact: FactOf<'presence_set'>): TableView {
  const { person, present: here } = fact;
  const seat = seatOf(table, person);
  if (seat < 0) {
    const change = (each: SpectatorView) => (each.person === person ? { ...each, here } : each);
    return { ...table, spectators: table.spectators.map(change) };
  }
  const each = table.seats[seat]!;
  return { ...table, seats: put(table.seats, seat, { ...each, here }) };
}

function handShown(table: TableView, fact: FactOf<'hand_shown'>): TableView {
  const seat = { ...table.seats[fact.seat]!, shows: fact.allowed };
  const next = { ...table, seats: put(table.seats, fact.seat, seat) };
  if (fact.allowed) return next;
  return { ...next, spectators: drawn(table.spectators, fact.seat) };
}

function viewpointChanged(table: TableView, fact: FactOf<'viewpoint_changed'>): TableView {
  const looking = fact.seat ?? null;
  const change = (each: SpectatorView) =>
    each.person === fact.person ? { ...each, looking } : each;
  return { ...table, spectators: table.spectators.map(change) };
}

function word(table: TableView, fact: FactOf<'word_revealed'>): TableView {
  const seat = { ...table.seats[fact.seat]!, word: fact.word };
  return { ...table, seats: put(table.seats, fact.seat, seat) };
}

const CHANGES: Handlers<TableView | null> = {
  configured,
  seed_committed: (table, fact) => ({
    ...table,
    games: fact.game,
    commitment: fact.hash,
    given: fact.deals_id !== undefined,
    practice: fact.deals_id === '@',
  }),
  seed_stored: (table) => table,
  joined,
  left,
  renamed,
  sat,
  bot_sat: botSat,
  vacated: (table, fact) => emptied(table, fact.seat),
  swapped: (table, { seat, other }) => ({
    ...table,
    seats: put(put(table.seats, seat, table.seats[other]!), other, table.seats[seat]!),
    spectators: drawn(drawn(table.spectators, seat), other),
  }),
  host_passed: (table, { person: host = null }) => ({ ...table, host }),
  word_committed: (table, fact) => ({
    ...table,
    seats: put(table.seats, fact.seat, { ...table.seats[fact.seat]!, word_commitment: fact.hash }),
  }),
  words_closed: (table, fact) => ({
    ...table,
    phase: 'revealing',
    word_commitments: fact.hashes,
    seating: table.seats.map(({ name }) => name),
  }),
  word_revealed: word,
  presence_set: presence,
  hand_shown: handShown,
  viewpoint_changed: viewpointChanged,
  muted: () => null, // muting changes which earlier lines I hear
  seat_requested: (table, { person, seat = null }) => ({
    ...table,
    spectators: table.spectators.map((each) =>
      each.person === person ? { ...each, wants: seat } : each,
    ),
  }),
  clock_set: () => null, // all times may have changed
};

/** Fold a fact about people; null for any other, and if the whole table is needed. */
export function foldGuests(table: TableView, fact: Fact): TableView | null {
  return handle(CHANGES, table, fact);
}
