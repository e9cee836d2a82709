// A sheet to save or share: as a link, as a file, as a table for spreadsheets.

import type { Sheet } from '../offline/sheet.ts';
import { writeSheet } from '../offline/sheet_file.ts';
import { SHEET_ENDING } from '../protocol.ts';
import { writeLink } from '../offline/sheet_link.ts';
import { csvOf } from './csv.ts';
import { startedAt } from './storage.ts';
import { linkTo } from './where.svelte';

/** The address of a sheet. */
export function linkOf(sheet: Sheet): string {
  return linkTo(writeLink(sheet));
}

type File = [text: string, type: string, name: string];

/** The name of a file: the local date on which the game began, and an ending. */
export function nameFor(sheet: Sheet, ending: string): string {
  const at = startedAt({ sheet });
  return `rage-${at ? dayOf(new Date(at)) : 'sheet'}${ending}`;
}

/** A day as in `2026-05-01`. */
function dayOf(at: Date): string {
  const numbers = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return numbers.map((each) => String(each).padStart(2, '0')).join('-');
}

/** A sheet as `.rage-score.json`. */
export function sheetFile(sheet: Sheet): File {
  return [writeSheet(sheet), 'application/json', nameFor(sheet, SHEET_ENDING)];
}

/** A sheet as a table for spreadsheets. */
export function csvFile(sheet: Sheet): File {
  return [csvOf(sheet), 'text/csv', nameFor(sheet, '.csv')];
}
