// What the host has changed, from the table before and after it: rules, seats and options, each in
// a few words that begin with what it is about.

import type { Told } from '../game/story.ts';
import type { TableView } from '../game/types.ts';
import type { Reason } from '../say.ts';

const SWITCHES = ['undo', 'known', 'spectators'] as const;

const to = (code: string, params: Record<string, unknown> = {}): Reason => ({ code, params });

/** Everything that is otherwise than before; empty where nothing is. */
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
  const { takeover, access, grace, clock } = after;
  const found = SWITCHES.filter((name) => after[name] !== before[name]).map((name) =>
    to(`page.changed.${after[name] ? 'on' : 'off'}`, { what: `page.options.${name}` }),
  );
  if (takeover !== before.takeover) found.push(to(`page.changed.takeover.${takeover}`));
  if (access !== before.access) found.push(to(`page.changed.access.${access}`));
  if (grace !== before.grace) found.push(to('page.changed.grace', { n: grace }));
  if (JSON.stringify(clock) !== JSON.stringify(before.clock))
    found.push(clock ? to('page.changed.clock', { ...clock }) : to('page.changed.no_clock'));
  return found;
}

/** The same as one sentence; null where nothing is otherwise. */
export function tellChanges(before: TableView, after: TableView): Told | null {
  const found = changes(before, after);
  if (found.length === 0) return null;
  return { reason: to('fact.configured', { changes: found }), level: 'brief' };
}
