// What has happened among the people at a table, as reasons for `sentence`: who came and went, who
// plays for whom, what was proposed and how it ended. What happens in the game is told by
// web/src/game/story.ts.

import type { Told } from '../game/story.ts';
import type { Fact, TableView } from '../game/types.ts';
import type { Params } from '../say.ts';
import { tellChanges } from './changes.ts';

type Level = Told['level'];
/** What is said of a fact, from the table before it and after it; nothing where it is null. */
type Teller = (fact: any, before: TableView, after: TableView) => Told | null;

const told = (code: string, params: Params, level: Level = 'usual'): Told => ({
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
    told(code, { name: name ?? nameIn(person, after, before) }, level);

/** A fact about a seat alone. */
const seated =
  (code: string, level: Level = 'usual'): Teller =>
  ({ seat = 0 }) =>
    told(code, { player: seat }, level);

/** Somebody, or a bot, in a seat: where others have just played there, instead of them. */
const sits =
  (code: string, instead: string): Teller =>
  ({ seat = 0 }, before) => {
    const was = before.phase === 'gathering' ? '' : (before.seats[seat]?.name ?? '');
    return was === ''
      ? told(code, { player: seat }, 'full')
      : told(instead, { player: seat, before: was });
  };

const TELLERS: Readonly<Record<string, Teller>> = {
  joined: named('fact.joined'),
  left: (fact, before) => {
    const code = fact.barred ? 'fact.barred' : fact.removed ? 'fact.removed' : 'fact.left';
    return named(code)(fact, before, before);
  },
  renamed: ({ person, name }, before) =>
    told('fact.renamed', { before: nameIn(person, before), name }),
  sat: sits('fact.sat', 'fact.sat_for'),
  bot_sat: sits('fact.bot_sat', 'fact.bot_sat_for'),
  vacated: ({ seat = 0 }, before) =>
    told('fact.vacated', { before: before.seats[seat]?.name ?? '' }, 'full'),
  host_passed: (fact, before, after) =>
    fact.person == null ? told('fact.no_host', {}) : named('fact.host')(fact, before, after),
  word_said: seated('fact.word', 'full'),
  // Whoever comes back knows it.
  presence_set: (fact, before, after) =>
    fact.person === after.me?.person
      ? null
      : named(fact.present ? 'fact.back' : 'fact.away')(fact, before, after),
  hand_shown: (fact, before, after) =>
    seated(fact.allowed ? 'fact.shows' : 'fact.shows_no_more')(fact, before, after),
  looked: ({ person, seat = null }, before, after) => {
    const name = nameIn(person, after, before);
    return seat === null
      ? told('fact.looks_away', { name }, 'full')
      : told('fact.looks', { name, player: seat });
  },
  muted: ({ other, muted }, before, after) =>
    told(muted ? 'fact.muted' : 'fact.unmuted', { name: nameIn(other, after, before) }),
  configured: (_, before, after) => tellChanges(before, after),
  committed: ({ hash }) => told('fact.committed', { hash: String(hash).slice(0, 8) }, 'full'),
  started: () => told('fact.started', {}, 'brief'),
  paused: (fact, before, after) =>
    fact.person == null
      ? told('fact.paused_alone', {}, 'brief')
      : named('fact.paused', 'brief')(fact, before, after),
  resumed: () => told('fact.resumed', {}, 'brief'),
  nudged: seated('fact.nudged'),
  asked: seated('fact.asked', 'brief'),
  voted: ({ seat = 0, person, yes }, before, after) => {
    const code = yes ? 'fact.voted.yes' : 'fact.voted.no';
    return told(code, { player: seat, name: nameIn(person, after, before) });
  },
  stepped_in: seated('fact.stepped_in', 'brief'),
  took_back: seated('fact.took_back', 'brief'),
  undo_proposed: seated('fact.undo', 'brief'),
  claimed: seated('fact.claim', 'brief'),
  answered: (fact, before, after) =>
    seated(fact.yes ? 'fact.answered.yes' : 'fact.answered.no')(fact, before, after),
  proposal_ended: ({ why }, before) => told(`fact.ended.${ending(why, before)}`, {}, 'brief'),
  undone: ({ count }) => told('fact.undone', { n: count }, 'brief'),
  rematched: ({ dealer = 0 }) => told('fact.rematched', { dealer }, 'brief'),
};

/** How a proposal ended; an undo and a claim end in different words. */
function ending(why: string, before: TableView): string {
  if (why !== 'accepted' && why !== 'declined') return why;
  return `${why}.${before.proposal?.kind ?? 'undo'}`;
}

/** What to say of a fact about people; null where it is about something else, or says nothing.
 * `before` and `after` are the table just before it and just after it. */
export function tellPeople(fact: Fact, before: TableView, after: TableView): Told | null {
  return TELLERS[fact.type]?.(fact, before, after) ?? null;
}
