// Tells what has changed between two states of a table: rules, seats and options changed by the
// host, in short sentences that begin with their subject; the seat that I was given; and the host.

import type { Entry } from './story.ts';
import type { TableView } from './types.ts';
import type { Reason } from '../say.ts';

/** The names of the options that are on or off. */
const NAMES = {
  undo: 'page.options.undo',
  known: 'page.options.known',
  spectators: 'page.options.spectators',
} as const;
/** The options that are on or off. */
export const SWITCHES = Object.keys(NAMES) as (keyof typeof NAMES)[];

const to = (code: string, params: Record<string, unknown> = {}): Reason => ({ code, params });

/** Everything that has changed. */
export function changes(before: TableView, after: TableView): Reason[] {
  return [...ofTheGame(before, after), ...ofTheOptions(before.options, after.options)];
}

function ofTheGame(before: TableView, after: TableView): Reason[] {
  const found: Reason[] = [];
  const { edition } = after.settings;
  if (edition !== before.settings.edition)
    found.push(to('page.changed.edition', { edition: `edition.${edition}` }));
  else if (after.rules !== before.rules) found.push(to('page.changed.rules'));
  const n = after.seats.length;
  if (n === before.seats.length) return found;
  found.push(to('page.changed.players', { n }));
  const seat = after.me?.seat ?? null;
  if (seat !== null && seat !== before.me?.seat)
    found.push(to('page.changed.seat', { n: seat + 1 }));
  return found;
}

function ofTheOptions(before: TableView['options'], after: TableView['options']): Reason[] {
  const { takeover, access, grace, clock, between, advice } = after;
  const found = SWITCHES.filter((name) => after[name] !== before[name]).map((name) =>
    to(`page.changed.${after[name] ? 'on' : 'off'}`, { what: NAMES[name] }),
  );
  if (takeover !== before.takeover) found.push(to(`page.changed.takeover.${takeover}`));
  if (access !== before.access) found.push(to(`page.changed.access.${access}`));
  if (grace !== before.grace) found.push(to('page.changed.grace', { n: grace }));
  if (JSON.stringify(clock) !== JSON.stringify(before.clock)) {
    // What finally happens when the clock runs out depends on the takeover by bots.
    const code = clock ? `page.changed.clock.${takeover}` : 'page.changed.no_clock';
    found.push(to(code, { ...clock }));
  }
  if (between !== before.between) found.push(pause(between));
  if (advice !== before.advice) {
    // people who are not alone see it as on or off
    const code = advice === 'always' ? 'page.changed.on' : 'page.changed.off';
    found.push(to(code, { what: 'page.options.advice' }));
  }
  return found;
}

function pause(between: number | null): Reason {
  if (between === null) return to('page.changed.between_ready');
  return between ? to('page.changed.between', { n: between }) : to('page.changed.between_none');
}

/** All changes as one sentence; null if nothing has changed. */
export function tellChanges(before: TableView, after: TableView): Entry | null {
  const found = changes(before, after);
  if (found.length === 0) return null;
  return { reason: to('fact.configured', { changes: found }), level: 'brief' };
}

/** A notice that I was given a seat in the middle of a game; null otherwise. */
export function tellSeat(before: TableView, after: TableView): Entry | null {
  const seat = after.me?.seat ?? null;
  const underWay = after.phase === 'playing' || after.phase === 'paused';
  if (seat === null || before.me?.seat !== null || !underWay) return null;
  const params = { before: before.seats[seat]?.name ?? '' };
  return { reason: to('fact.seat_mine', params), level: 'brief' };
}

/** The new host, or that the host is away, if only the whole table says so; null if neither is new.
 * */
export function tellHost(before: TableView, after: TableView): Entry | null {
  const was = hostOf(before);
  const host = hostOf(after);
  if (!was || !host) return null;
  const { name } = host;
  if (host.person !== was.person)
    return before.host === after.me?.person ? tellReplaced(after) : tellNewHost(name);
  if (host.here === was.here || host.person === after.me?.person) return null;
  return { reason: to(host.here ? 'fact.back' : 'fact.away', { name }), level: 'usual' };
}

const tellNewHost = (name: string): Entry => ({
  reason: to('fact.host', { name }),
  level: 'usual',
});

/** A notice that someone replaced me as host, and whether I can become host again. */
export function tellReplaced(table: TableView): Entry {
  const params = { name: hostOf(table)?.name ?? '', people: 'page.people.title' };
  const again = table.me != null && table.me.host_free_at !== null;
  return { reason: to(again ? 'fact.host_again' : 'fact.host_instead', params), level: 'brief' };
}

/** The host as a guest; none if the table has none. */
export function hostOf({ host, seats, spectators }: TableView) {
  return [...seats, ...spectators].find(({ person }) => person !== null && person === host);
}

/** What to say when a whole table replaces another, or is the first (`before` is null); null for
 * nothing. */
export function tellWhole(before: TableView | null, after: TableView): Entry | null {
  if (before === null) return replacedAway(after) ? tellReplaced(after) : null;
  if (before.me === null) return null;
  return tellSeat(before, after) ?? tellChanges(before, after) ?? tellHost(before, after);
}

/** Whether someone else is host of a table I own, because I was away. */
function replacedAway(table: TableView): boolean {
  const { me, owner } = table;
  const host = hostOf(table);
  return me !== null && host !== undefined && owner === me.person && host.person !== me.person;
}
