// What has happened among the people at a table, as reasons for `sentence`: who came and went, who
// plays for whom, what was proposed and how it ended. What happens in the game is told by
// story.ts.

import { withheld } from './fold_game.ts';
import { type Entry, tellStart } from './story.ts';
import type { Fact, TableView } from './types.ts';
import type { Params } from '../say.ts';
import { tellChanges, tellReplaced } from './table_changes.ts';

type Level = Entry['level'];
/** What is said of a fact, from the table before it and after it; nothing where it is null. */
type Teller = (fact: any, before: TableView, after: TableView) => Entry | null;

const entry = (code: string, params: Params, level: Level = 'usual'): Entry => ({
  reason: { code, params },
  level,
});

/** The name of a person at the table, or of one who was there just now. */
export function nameIn(person: string | null, ...tables: readonly TableView[]): string {
  for (const { seats, spectators } of tables) {
    const found = [...seats, ...spectators].find((each) => each.person === person);
    if (found) return found.name;
  }
  return '?';
}

/** A fact about a person alone, by their name. */
const named =
  (code: string, level: Level = 'usual'): Teller =>
  ({ person, name }, before, after) =>
    entry(code, { name: name ?? nameIn(person, after, before) }, level);

/** A fact about a seat alone. */
const seated =
  (code: string, level: Level = 'usual'): Teller =>
  ({ seat = 0 }) =>
    entry(code, { player: seat }, level);

/** Somebody, or a bot, in a seat: where others have just played there, instead of them. */
const sits =
  (code: string, instead: string): Teller =>
  ({ seat = 0 }, before) => {
    const was = before.phase === 'gathering' ? '' : (before.seats[seat]?.name ?? '');
    return was === ''
      ? entry(code, { player: seat }, 'full')
      : entry(instead, { player: seat, before: was });
  };

const TELLERS: Readonly<Record<string, Teller>> = {
  joined: named('fact.joined'),
  left: (fact, before) => {
    const code = fact.barred ? 'fact.barred' : fact.removed ? 'fact.removed' : 'fact.left';
    return named(code)(fact, before, before);
  },
  renamed: ({ person, name }, before) =>
    entry('fact.renamed', { before: nameIn(person, before), name }),
  sat: sits('fact.sat', 'fact.sat_for'),
  bot_sat: sits('fact.bot_sat', 'fact.bot_sat_for'),
  seat_asked: ({ person, seat = null }, before, after) => {
    const wanted = seat ?? before.spectators.find((each) => each.person === person)?.wants;
    const code = seat === null ? 'fact.seat_unasked' : 'fact.seat_asked';
    return entry(code, { name: nameIn(person, after, before), player: wanted ?? 0 }, 'brief');
  },
  vacated: ({ seat = 0 }, before) =>
    entry('fact.vacated', { before: before.seats[seat]?.name ?? '' }, 'full'),
  host_passed: (fact, before, after) => {
    if (fact.person == null) return entry('fact.no_host', {});
    const mine = after.me != null && before.host === after.me.person;
    return mine ? tellReplaced(after) : named('fact.host')(fact, before, after);
  },
  word_said: seated('fact.word', 'full'),
  word_committed: seated('fact.word_committed', 'full'),
  words_closed: () => entry('fact.words_closed', {}, 'full'),
  // Those who come back know it.
  presence_set: (fact, before, after) =>
    fact.person === after.me?.person
      ? null
      : named(fact.present ? 'fact.back' : 'fact.away')(fact, before, after),
  hand_shown: (fact, before, after) =>
    seated(fact.allowed ? 'fact.shows' : 'fact.shows_no_more')(fact, before, after),
  looked: ({ person, seat = null }, before, after) => {
    const name = nameIn(person, after, before);
    return seat === null
      ? entry('fact.looks_away', { name }, 'full')
      : entry('fact.looks', { name, player: seat });
  },
  muted: ({ other, muted }, before, after) =>
    entry(muted ? 'fact.muted' : 'fact.unmuted', { name: nameIn(other, after, before) }),
  configured: (_, before, after) => tellChanges(before, after),
  committed: ({ hash }) => entry('fact.committed', { hash: String(hash).slice(0, 8) }, 'full'),
  started: (fact) => tellStart(withheld(fact)) ?? entry('fact.started', {}, 'brief'),
  paused: (fact, before, after) =>
    fact.person == null
      ? entry('fact.paused_alone', {}, 'brief')
      : named('fact.paused', 'brief')(fact, before, after),
  resumed: () => entry('fact.resumed', {}, 'brief'),
  readied: seated('fact.readied', 'full'),
  nudged: seated('fact.nudged'),
  asked: (fact, before, after) => {
    const code = after.options.takeover === 'vote' ? 'fact.asked' : 'fact.slow';
    return seated(code, 'brief')(fact, before, after);
  },
  voted: ({ seat = 0, person, yes }, before, after) => {
    const code = yes ? 'fact.voted.yes' : 'fact.voted.no';
    return entry(code, { player: seat, name: nameIn(person, after, before) });
  },
  stepped_in: seated('fact.stepped_in', 'brief'),
  took_back: seated('fact.took_back', 'brief'),
  undo_proposed: seated('fact.undo', 'brief'),
  claimed: seated('fact.claim', 'brief'),
  seat_proposed: ({ seat = 0, person }, before, after) => {
    const code = before.seats[seat]?.person == null ? 'fact.seat.bot' : 'fact.seat.own';
    return entry(code, { player: seat, name: nameIn(person, after, before) }, 'brief');
  },
  answered: (fact, before, after) =>
    seated(fact.yes ? 'fact.answered.yes' : 'fact.answered.no')(fact, before, after),
  proposal_ended: ({ why }, before) => entry(`fact.ended.${ending(why, before)}`, {}, 'brief'),
  rematched: ({ dealer = 0 }) => entry('fact.rematched', { dealer }, 'brief'),
};

/** How a proposal ended; each kind ends in its own words. */
function ending(why: string, before: TableView): string {
  if (!['accepted', 'declined', 'decided'].includes(why)) return why;
  return `${why}.${before.proposal?.kind ?? 'undo'}`;
}

/** What to say of a fact about people; null where it is about something else, or says nothing.
 * `before` and `after` are the table just before it and just after it. */
export function tellPeople(fact: Fact, before: TableView, after: TableView): Entry | null {
  return TELLERS[fact.type]?.(fact, before, after) ?? null;
}
