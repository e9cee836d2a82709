// The code of a table, as people type, say, paste and scan it.

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 8;

/** A table's code from what somebody typed: in capitals, with spaces and dashes, or as a link with
 * `/t/` in it. `null` where it is none. */
export function readCode(text: string): string | null {
  const linked = /\/t\/([^/?#]+)/.exec(text);
  const code = (linked?.[1] ?? text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]/gu, '');
  const fits = code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter));
  return fits ? code : null;
}

/** A code as it is shown: `abcd-efgh`. */
export function showCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The token of a link by which another device hands its place over; `null` where it is none. */
export function readHandover(text: string): string | null {
  return /#handover=([\w.~-]+)/.exec(text)?.[1] ?? null;
}
