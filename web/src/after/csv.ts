// The cells of a table for spreadsheets, as src/rage/score/spreadsheet.py has them: RFC 4180, quoted also
// where a semicolon would end them.

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/** A number, or a text that no spreadsheet takes for a formula, as a cell. */
export function cell(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
