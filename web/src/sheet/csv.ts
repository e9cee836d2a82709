// A sheet as a table for spreadsheets (docs/score.md), as src/rage/score/spreadsheet.py writes it.

import { cell } from '../after/csv.ts';
import { bySide, finishedRounds, type Sheet, totals } from '../offline/sheet.ts';
import { sentence, t } from '../say.ts';

/** The table of a sheet (docs/score.md), with a byte order mark, as Python writes it. */
export function csvOf(sheet: Sheet): string {
  const separator = t('score.csv.separator');
  const lines = [head(sheet), ...rows(sheet)].map((row) => row.map(cell).join(separator));
  return `\ufeff${lines.map((line) => `${line}\r\n`).join('')}`;
}

function head({ rules }: Sheet): string[] {
  const { edition, teams } = rules;
  return [
    t('score.csv.round'),
    t('score.csv.cards'),
    t('score.csv.player'),
    t('score.csv.dealer'),
    ...(teams ? [t('score.csv.team')] : []),
    t('score.csv.bid'),
    t('score.csv.tricks'),
    ...['+', '-'].map((card) => sentence({ code: 'score.csv.won', params: { card } }, { edition })),
    t('score.csv.points'),
    t('score.csv.total'),
  ];
}

function rows(sheet: Sheet): (string | number)[][] {
  const { teams } = sheet.rules;
  const sums = totals(sheet);
  return finishedRounds(sheet).flatMap((round, at) => {
    const found = bySide(sheet, round);
    return round.seats.map((player, place) => {
      const side = teams ? place % teams : player;
      return [
        at + 1,
        round.hand_size,
        sheet.players[player]!,
        player === round.dealer ? 'x' : '',
        ...(teams ? [side + 1] : []),
        round.bids[place]!,
        round.won[place]!,
        round.bonus[place]!,
        round.mad[place]!,
        found.get(side)!.points,
        sums[at]![side]!,
      ];
    });
  });
}
