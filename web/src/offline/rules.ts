// The settings of a rule set and their limits, as in src/rage/rules/ruleset.py, for everything that
// works without the server. Python prints the editions and limits (tools/generated/choices.py).

import { ACTIONS } from '../codes.ts';
import built from './built/choices.json' with { type: 'json' };
import { pack } from './cards.ts';
import type { SettingsData } from '../protocol.ts';
import { refuse } from './refusal.ts';

/** Every setting of a rule set, under its name in docs/rules.md; a view calls this `settings`. */
export type Settings = Omit<SettingsData, 'colours' | 'ranks'>;

/** A complete rule set, with the smallest and largest number of players. */
export interface Rules extends Settings {
  readonly players: readonly [number, number];
}

/** The choices, as `python -m tools.generated.choices` prints them. */
const { values: CHOICES, limits: LIMITS } = built;
export { LIMITS };

export const EDITIONS = built.editions as unknown as Readonly<Record<string, Rules>>;

/** The numbers of players that can form this many teams. */
export const TEAMS: Readonly<Record<string, readonly number[]>> = built.teams;

/** The kinds of values (`allowed.<kind>`), and their tests. */
type Setting = readonly [kind: string, allows: (value: unknown) => boolean];
const POINTS: Setting = ['points', (value) => isWhole(value, -LIMITS.points, LIMITS.points)];
const FLAG: Setting = ['flag', (value) => typeof value === 'boolean'];
const choice = (name: keyof typeof CHOICES): Setting => [
  name,
  (value) => (CHOICES[name] as unknown[]).includes(value),
];

/** Every setting in the order of docs/rules.md, in which they are checked. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  pack: [
    'pack',
    (value) =>
      isObject(value) &&
      Object.keys(ACTIONS).every((kind) => isWhole(value[kind], 0, LIMITS.action_cards)),
  ],
  change: choice('change'),
  out: choice('out'),
  second_wild: choice('second_wild'),
  exact: POINTS,
  exact_zero: POINTS,
  miss: POINTS,
  tie: choice('tie'),
  schedule: [
    'schedule',
    (value) =>
      Array.isArray(value) &&
      value.length >= 1 &&
      value.length <= LIMITS.rounds &&
      value.every((hand) => isWhole(hand, 1, LIMITS.hand)),
  ],
  bidding: choice('bidding'),
  bid_total: choice('bid_total'),
  anytime_actions: FLAG,
  sweep: FLAG,
  teams: ['teams', (value) => value === null || value === 2 || value === 3],
};

/** The rules that a record writes as `{"edition": "amigo", "miss": -3, ...}`: an edition and its
 * changed settings. Throws a `Refusal` for invalid data or an exceeded limit. */
export function rulesFrom(data: unknown): Rules {
  const { edition, ...settings } = isObject(data) ? data : {};
  const base = typeof edition === 'string' && Object.hasOwn(EDITIONS, edition) && EDITIONS[edition];
  if (!base) return refuse('notation.no_edition', { allowed: Object.keys(EDITIONS).join(', ') });
  for (const setting of Object.keys(settings)) {
    if (!Object.hasOwn(SETTINGS, setting)) {
      refuse('ruleset.no_setting', { setting, allowed: Object.keys(SETTINGS).join(', ') });
    }
  }
  const { pack } = settings;
  if (isObject(pack)) {
    const kind = Object.keys(pack).find((each) => !Object.hasOwn(ACTIONS, each));
    if (kind !== undefined) {
      refuse('notation.no_kind', { kind, allowed: Object.keys(ACTIONS).join(', ') });
    }
    settings.pack = { ...base.pack, ...pack };
  }
  return checkRules({ ...base, ...settings });
}

/** Rules checked against all limits. Throws a `Refusal` for the first setting that exceeds one. */
export function checkRules(rules: Rules): Rules {
  for (const [setting, [kind, allows]] of Object.entries(SETTINGS)) {
    const value: unknown = rules[setting as keyof Rules];
    if (setting === 'schedule' && !Array.isArray(value))
      refuse('schedule.no_numbers', { value: formatValue(value) });
    if (!allows(value)) {
      const hands = setting === 'schedule';
      const shown = formatValue(value);
      refuse(hands ? 'schedule.refused' : 'setting.refused', {
        setting,
        value: hands ? shown.replaceAll('.', ', ') : shown, // as people write it
        allowed: `allowed.${kind}`,
      });
    }
  }
  if (rules.bid_total === 'not_tricks' && rules.bidding !== 'open') {
    refuse('setting.not_tricks_needs_open', { bidding: rules.bidding });
  }
  return rules;
}

/** The most cards that can be dealt: with real cards, all but one to turn up. */
const mostDealt = (rules: Rules, realCards: boolean): number =>
  realCards ? pack(rules).length - 1 : LIMITS.dealt;

/** The most cards that each of this many players can be dealt. */
export const largestHand = (rules: Rules, players: number, realCards = false): number =>
  Math.floor(mostDealt(rules, realCards) / players);

/** Throws a `Refusal` if rules do not allow this number of players, who may be more with real
 * cards. */
export function checkPlayers(rules: Rules, players: number, realCards = false): void {
  const least = rules.players[0];
  const most = realCards ? LIMITS.real_players : rules.players[1];
  const { edition, teams } = rules;
  if (players < least || players > most) {
    const code = realCards ? 'players.real' : 'players.refused';
    refuse(code, { players, edition, least, most });
  }
  if (teams !== null && !TEAMS[teams]!.includes(players)) {
    refuse('teams.refused', { teams, players, allowed: `teams.allowed.${teams}` });
  }
  const hand = Math.max(...rules.schedule);
  const allowed = largestHand(rules, players, realCards);
  if (hand > allowed) {
    refuse('hand.refused', { hand, players, limit: mostDealt(rules, realCards), allowed });
  }
}

/** A value as rule sets write it: `true`, `none`, `3.2.1`, `wild2.out0`. */
export function formatValue(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.join('.');
  if (!isObject(value)) return String(value) || "''"; // so that an empty text is visible
  return Object.entries(value)
    .map(([kind, count]) => `${kind}${count}`)
    .join('.');
}

export function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
