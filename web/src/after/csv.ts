// Cells of CSV as src/rage/score/spreadsheet.py writes them: RFC 4180, and also quoted if they
// contain a semicolon.

/** Characters with which a spreadsheet formula may begin. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/** A number or a text as a cell that no spreadsheet reads as a formula. */
export function cell(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
