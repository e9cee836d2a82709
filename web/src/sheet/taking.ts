// A sheet taken along: as a link, as a file, as a table for spreadsheets.

import type { Sheet } from '../offline/sheet.ts';
import { ENDING, writeSheet } from '../offline/sheet_file.ts';
import { writeLink } from '../offline/sheet_link.ts';
import { csvOf } from './csv.ts';
import { linkTo } from './where.svelte';

/** The address of a sheet. */
export function linkOf(sheet: Sheet): string {
  return linkTo(writeLink(sheet));
}

type File = [text: string, type: string, name: string];

/** The name of a file: the day of the game, and an ending. */
export function nameFor({ extra }: Sheet, ending: string): string {
  const day = String(extra['started'] ?? '').slice(0, 10) || 'sheet';
  return `rage-${day}${ending}`;
}

/** A sheet as `.rage-score.json`. */
export function sheetFile(sheet: Sheet): File {
  return [writeSheet(sheet), 'application/json', nameFor(sheet, ENDING)];
}

/** A sheet as a table for spreadsheets. */
export function csvFile(sheet: Sheet): File {
  return [csvOf(sheet), 'text/csv', nameFor(sheet, '.csv')];
}
