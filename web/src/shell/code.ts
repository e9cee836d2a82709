// Codes of tables and evenings, as people type, say, paste and scan them.

import { TABLE_LENGTH, TABLE_LETTERS } from '../protocol.ts';

/** The code in typed text: in capitals, with spaces and dashes, or in a link with `/t/` or `/e/`; null
 * without one. */
export function readCode(text: string): string | null {
  const linked = /\/[te]\/([^/?#]+)/.exec(text);
  const code = (linked?.[1] ?? text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}\p{Cf}]/gu, '');
  const fits =
    code.length === TABLE_LENGTH && [...code].every((letter) => TABLE_LETTERS.includes(letter));
  return fits ? code : null;
}

/** A code as it is shown: `abcd-efgh`. */
export function showCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The token of a handover link from another device, or null. */
export function readHandover(text: string): string | null {
  return /#handover=([\w.~-]+)/.exec(text)?.[1] ?? null;
}
