// The games of this device over many evenings: for the statistics (after/stats.ts), and as one
// file.

import type { Kept } from '../after/stats.ts';
import { nameOf } from '../offline/names.ts';
import { need } from '../offline/fields.ts';
import { bySide, finishedRounds, hasEnded, leaders, scores, type Sheet } from '../offline/sheet.ts';
import { sheetData, sheetFrom } from '../offline/sheet_file.ts';
import { isObject } from '../offline/rules.ts';
import { wholeSheet } from './entering.ts';
import { type Game, startedAt } from './storage.ts';

/** A game for the statistics, from the point of view of `who`; `null` before it has ended. */
export function keptOf(game: Game, who: string): Kept | null {
  const { sheet, id } = game;
  const rounds = finishedRounds(sheet);
  if (!hasEnded(sheet)) return null;
  const { teams } = sheet.rules;
  const seat = sheet.players.indexOf(who);
  const points = scores(sheet);
  return {
    id,
    ended: Date.parse(String(sheet.extra['ended'])) || startedAt(game),
    rules: nameOf(sheet.rules),
    names: sheet.players,
    bots: sheet.players.map(() => false),
    seat: seat < 0 ? null : seat,
    sides: sheet.players.map((_, player) => (teams ? teamOf(sheet, player, teams) : player)),
    scores: points,
    winners: leaders(sheet),
    rounds: rounds.map((round) => {
      const found = bySide(sheet, round);
      const of = (list: readonly (number | null)[]) =>
        sheet.players.map((_, player) => list[round.seats.indexOf(player)] ?? null);
      return {
        cards: round.hand_size,
        bids: of(round.bids),
        won: of(round.won),
        points: points.map((_, side) => found.get(side)?.points ?? 0),
        met: [...found].flatMap(([side, { met }]) => (met ? [side] : [])),
      };
    }),
  };
}

function teamOf({ rounds }: Sheet, player: number, teams: number): number {
  const seats = rounds.find((round) => round.seats.includes(player))?.seats ?? [];
  return Math.max(0, seats.indexOf(player)) % teams;
}

/** The names of all players, most frequent first. */
export function peopleOf(games: readonly Game[]): string[] {
  const counts = new Map<string, number>();
  for (const { sheet } of games) {
    for (const name of sheet.players) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

const FORMAT = 'rage-scores';

/** All games as the text of one file, including rounds under way. */
export function writeHistory(games: readonly Game[]): string {
  const sheets = games.map((game) => sheetData(wholeSheet(game)));
  return `${JSON.stringify({ format: FORMAT, version: 1, sheets }, null, 1)}\n`;
}

/** The sheets of such a file; `null` for any other kind of file. Throws a `Refusal` for another
 * version, and for a sheet that breaks a rule. */
export function readHistory(text: string): Sheet[] | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(data) || data['format'] !== FORMAT || !Array.isArray(data['sheets'])) return null;
  need(data, { code: 'place.sheet' }, 'version', 'version', (each) => each === 1);
  return data['sheets'].map(sheetFrom);
}
