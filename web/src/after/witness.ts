// Which commitments this browser has seen, and when. Only who noted a commitment before the game
// can tell that it is the same afterwards; so the page notes it, and the proof looks here.

const KEY = 'rage.commitments';
const MOST = 100;

type Noted = Record<string, number>;

function read(): Noted {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Noted) : {};
  } catch {
    return {}; // storage that is closed to us, or holds something else
  }
}

/** Note a commitment while its seed is secret; the first time counts. */
export function note(commitment: string, now: number): void {
  const noted = read();
  if (commitment === '' || commitment in noted) return;
  const kept = Object.entries(noted)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST - 1);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(kept), [commitment]: now }));
  } catch {
    // nothing can be kept here, so nothing can be vouched for later
  }
}

/** When this browser noted a commitment (milliseconds since 1970); null where it did not. */
export function notedAt(commitment: string): number | null {
  const at = read()[commitment];
  return typeof at === 'number' ? at : null;
}
