// Tells what people at a table did, as reasons for `sentence`: who came and left, who plays for
// whom, proposals and how they ended. story.ts tells the game itself.

import { handle, type Handlers } from './facts.ts';
import { type Entry, type GameKind, tellStart } from './story.ts';
import type { Fact, TableView } from './types.ts';
import type { Params } from '../say.ts';
import { tellChanges, tellReplaced } from './table_changes.ts';

type Level = Entry['level'];
const entry = (code: string, params: Params, level: Level = 'usual'): Entry => ({
  reason: { code, params },
  level,
});

/** The name of a person who is at the table, or was until just now. */
export function nameIn(person: string | null, ...tables: readonly TableView[]): string {
  for (const { seats, spectators } of tables) {
    const found = [...seats, ...spectators].find((each) => each.person === person);
    if (found) return found.name;
  }
  return '?';
}

/** That name as a parameter: null for the reader. */
export const nameFor = (person: string | null, ...tables: readonly TableView[]): string | null =>
  tables.some(({ me }) => me?.person === person) ? null : nameIn(person, ...tables);

/** A reason about one person, by name. */
const ofPerson = (
  code: string,
  person: string,
  tables: readonly TableView[],
  level: Level = 'usual',
): Entry => entry(code, { name: nameFor(person, ...tables) }, level);

/** Whether a person only watches a game. */
const watches = (person: string, { phase, seats, host }: TableView): boolean =>
  phase !== 'gathering' && host !== person && seats.every((seat) => seat.person !== person);

/** The narrator of a fact about a seat alone. */
const ofSeat =
  (code: string, level: Level = 'usual') =>
  (_: TableView, { seat }: { readonly seat: number }): Entry =>
    entry(code, { player: seat }, level);

/** The narrator for a person or bot taking a seat, in place of others if they have just played
 * there. */
const sits =
  (code: string, instead: string) =>
  (before: TableView, { seat }: { readonly seat: number }): Entry => {
    const was = before.phase === 'gathering' ? '' : (before.seats[seat]?.name ?? '');
    return was === ''
      ? entry(code, { player: seat }, 'full')
      : entry(instead, { player: seat, before: was });
  };

/** By kind of fact, except those of the game, the entry that tells it, given the table before and
 * after it; null for a kind that needs no words. */
const TELLERS: Required<Omit<Handlers<Entry | null, [after: TableView]>, GameKind>> = {
  joined: (_, { person, name }, after) =>
    entry(watches(person, after) ? 'fact.watching' : 'fact.joined', { name }),
  left: (before, { person, barred, removed }) => {
    const left = watches(person, before) ? 'fact.watched' : 'fact.left';
    const name = nameIn(person, before);
    return entry(barred ? 'fact.barred' : removed ? 'fact.removed' : left, { name });
  },
  renamed: (before, { person, name }) => {
    const was = nameIn(person, before);
    if (was === name) return null; // only the sign changed, which can be seen
    return person === before.me?.person
      ? entry('fact.renamed.you', { name })
      : entry('fact.renamed', { before: was, name });
  },
  sat: (before, fact) =>
    fact.same_as == null
      ? sits('fact.sat', 'fact.sat_for')(before, fact)
      : entry('fact.sat_same', { player: fact.seat }, 'brief'),
  bot_sat: sits('fact.bot_sat', 'fact.bot_sat_for'),
  seat_requested: (before, { person, seat = null }, after) => {
    const wanted = seat ?? before.spectators.find((each) => each.person === person)?.wants;
    const code =
      seat === null
        ? 'fact.seat_request_ended'
        : before.seats[seat]?.person == null
          ? 'fact.seat_requested'
          : 'fact.seat_own_requested';
    return entry(code, { name: nameFor(person, after, before), player: wanted ?? 0 }, 'brief');
  },
  swapped: (before, { seat, other }) => {
    const [one, two] = [before.seats[seat]!.name, before.seats[other]!.name];
    if (one && two) return entry('fact.swapped', { players: [seat, other] });
    const to = one ? other : seat;
    return entry('fact.moved', { player: to, n: to + 1 });
  },
  vacated: (before, { seat }) =>
    entry('fact.vacated', { before: before.seats[seat]?.name ?? '' }, 'full'),
  host_passed: (before, { person = null }, after) => {
    if (person === null) return entry('fact.no_host', {});
    const mine = after.me != null && before.host === after.me.person;
    return mine ? tellReplaced(after) : ofPerson('fact.host', person, [after, before]);
  },
  word_committed: ofSeat('fact.word_committed', 'full'),
  words_closed: () => entry('fact.words_closed', {}, 'full'),
  // not said to the person who returns, nor of people who only watch
  presence_set: (before, { person, present }, after) =>
    person === after.me?.person || watches(person, after)
      ? null
      : ofPerson(present ? 'fact.back' : 'fact.away', person, [after, before]),
  hand_shown: (_, { seat, allowed }) =>
    entry(allowed ? 'fact.shows' : 'fact.shows_no_more', { player: seat }),
  viewpoint_changed: (before, { person, seat = null }, after) => {
    const name = nameFor(person, after, before);
    return seat === null
      ? entry('fact.looks_away', { name }, 'full')
      : entry('fact.looks', { name, player: seat });
  },
  muted: (before, { other, muted }, after) =>
    ofPerson(muted ? 'fact.muted' : 'fact.unmuted', other, [after, before]),
  configured: (before, _, after) => tellChanges(before, after),
  seed_committed: (_, { hash }) => entry('fact.seed_committed', { hash: hash.slice(0, 8) }, 'full'),
  started: (_, { withheld = [] }) => tellStart(withheld) ?? entry('fact.started', {}, 'brief'),
  paused: (before, { person = null }, after) =>
    person === null
      ? entry('fact.paused_alone', {}, 'brief')
      : ofPerson('fact.paused', person, [after, before], 'brief'),
  resumed: () => entry('fact.resumed', {}, 'brief'),
  player_ready: ofSeat('fact.player_ready', 'full'),
  // the clock itself tells the player concerned
  nudged: (_, { seat }, after) =>
    seat === after.me?.seat ? null : entry('fact.nudged', { player: seat }),
  takeover_vote_opened: (_, { seat }, after) =>
    seat === after.me?.seat
      ? null
      : entry(
          after.options.takeover === 'vote' ? 'fact.takeover_vote_opened' : 'fact.slow',
          { player: seat },
          'brief',
        ),
  voted: (before, { seat, person, yes }, after) => {
    const code = yes ? 'fact.voted.yes' : 'fact.voted.no';
    return entry(code, { player: seat, name: nameFor(person, after, before) });
  },
  stepped_in: ofSeat('fact.stepped_in', 'brief'),
  took_back: ofSeat('fact.took_back', 'brief'),
  undo_proposed: ofSeat('fact.undo', 'brief'),
  claimed: ofSeat('fact.claim', 'brief'),
  seat_proposed: (before, { seat, person, by = null }, after) => {
    const own = by === seat ? 'fact.seat.own' : 'fact.seat.return';
    const code = before.seats[seat]?.person == null ? 'fact.seat.bot' : own;
    return entry(code, { player: seat, name: nameFor(person, after, before) }, 'brief');
  },
  answered: (_, { seat, yes }) =>
    entry(yes ? 'fact.answered.yes' : 'fact.answered.no', { player: seat }),
  proposal_ended: (before, { why }) => entry(`fact.ended.${ending(why, before)}`, {}, 'brief'),
  // steps of making the deals
  created: null,
  seed_stored: null,
  word_revealed: null,
  // the clock shows it
  clock_set: null,
  // these come with the whole table, which says so
  undone: null,
  rematched: null,
  set_back: null,
};

/** How a proposal ended, in the words of its kind. */
function ending(why: string, before: TableView): string {
  if (!['accepted', 'declined', 'decided'].includes(why)) return why;
  return `${why}.${before.proposal?.kind ?? 'undo'}`;
}

/** What to say about a fact; null if it is not about people, or needs no words. `before` and
 * `after` are the table just before and after it. */
export function tellPeople(fact: Fact, before: TableView, after: TableView): Entry | null {
  return handle(TELLERS, before, fact, after);
}
