// The sides of a sheet as they are shown: names, signs, lines of the sheet.

import { signOf, type SignOf } from '../cards/signs';
import { teamSides } from '../offline/score';
import {
  bySide,
  finishedRounds,
  hasEnded,
  leaders,
  members,
  present,
  scores as scoresOf,
  seatsOf,
  type Sheet,
  sideCount,
  type SheetRound,
  total,
} from '../offline/sheet';
import { join, number, t, team, visible } from '../say';
import { ranks } from '../start/places';
import type { SheetSide } from '../table/ScoreSheet.svelte';
import type { Cell, Line, Scored } from '../table/sheet';

/** The sign of a seat in a round, as on the sheet: its team's or its player's. */
export function signAt({ rules }: Sheet, seats: readonly number[], place: number): SignOf {
  if (rules.teams === null) return signOf(seats[place]!);
  return signOf(place, teamSides(rules.teams, seats.length));
}

/** The sides of a sheet with their names and signs. */
export function sidesOf(sheet: Sheet): SheetSide[] {
  const { teams } = sheet.rules;
  return Array.from({ length: sideCount(sheet) }, (_, side) => {
    const players = members(sheet, side);
    const [first = side] = players;
    return {
      name: team(players.map((player) => visible(sheet.players[player]!))),
      signed: sheet.players[first] ?? '',
      ...(teams === null ? signOf(side) : signOf(side, teamSides(teams, seatsOf(sheet).length))),
    };
  });
}

/** Who leads or has won, in a sentence; empty before a round is over. */
export function standingOf(sheet: Sheet): string {
  const first = leaders(sheet);
  if (!first.length) return '';
  const sides = sidesOf(sheet);
  return t(hasEnded(sheet) ? 'page.sheet.won.game' : 'page.sheet.leads', {
    names: join(first.map((side) => sides[side]!.name)),
    points: number(scoresOf(sheet)[first[0]!]!),
    n: first.flatMap((side) => members(sheet, side)).length,
  });
}

/** The places of the sides, from 1; `null` for players who left, and before a round is over. */
export function placesOf(sheet: Sheet): (number | null)[] {
  const [scores, there, first] = [scoresOf(sheet), present(sheet), leaders(sheet)];
  const found = ranks(
    there.map((side) => scores[side]!),
    first.map((side) => there.indexOf(side)),
  );
  return scores.map((_, side) => (first.length && found[there.indexOf(side)]) || null);
}

/** The round in which one side got the most points, the first of several. */
export function bestRound(sheet: Sheet): { round: number; side: number; points: number } | null {
  const found = finishedRounds(sheet).flatMap((round, at) =>
    [...bySide(sheet, round)].map(([side, { points }]) => ({ round: at + 1, side, points })),
  );
  return found.sort((a, b) => b.points - a.points)[0] ?? null;
}

/** Every round of the schedule as a line of the sheet, future ones without cells; `entry` is the
 * round under way. */
export function linesOf(sheet: Sheet, entry: SheetRound | null): Line[] {
  const count = sideCount(sheet);
  const sums = Array.from({ length: count }, () => 0);
  const rounds = entry ? [...sheet.rounds, entry] : sheet.rounds;
  return sheet.rules.schedule.map((size, at): Line => {
    const round = rounds[at];
    if (!round) return { round: at + 1, hand: size, cells: [], dealer: null };
    const done = round !== entry;
    const found = bySide(sheet, round);
    const cells = Array.from({ length: count }, (_, side): Cell | null => {
      const account = found.get(side);
      if (!account) return null;
      if (!done) return open(sheet, round, side);
      sums[side]! += account.points;
      const cards = 5 * (account.bonus - account.mad);
      return { ...account, cards, total: sums[side]! };
    });
    const place = round.seats.indexOf(round.dealer);
    const dealer = sheet.rules.teams ? place % sheet.rules.teams : round.dealer;
    return { round: at + 1, hand: round.hand_size, cells, dealer };
  });
}

/** What is known of a side in the round under way. */
function open({ rules }: Sheet, round: SheetRound, side: number): Cell {
  const places = [...round.seats.keys()].filter((at) =>
    rules.teams ? at % rules.teams === side : round.seats[at] === side,
  );
  const sum = (list: readonly (number | null)[]) => {
    const mine = places.map((at) => list[at] ?? null);
    return mine.includes(null) ? null : total(mine);
  };
  return { bid: sum(round.bids), won: sum(round.won), points: null, total: null, met: null };
}

/** The points of a sheet for a chart: by side, 0 for one that did not play. */
export function scoredOf(sheet: Sheet, scores: readonly number[]): Scored {
  const rounds = finishedRounds(sheet).map((round) => {
    const found = bySide(sheet, round);
    return { points: scores.map((_, side) => found.get(side)?.points ?? 0) };
  });
  return { scores, rounds };
}
