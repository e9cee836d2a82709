// The page's own type. It is fetched after two tricks, because the first card comes first, and shown
// from the next round or page on, so that no line moves under a reader; later visits begin with it,
// and the score sheet shows it at once unless it comes late.

import file from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';
import { readStored, store } from '../stored';

const KEY = 'rage.type';
/** How long a visit waits for the stored file before it begins in the system's type. */
const PATIENCE_MS = 400;
let face: FontFace | null = null;

/** Fetch the type. Without a network the system's stays. */
export async function fetchType(): Promise<void> {
  if (face) return;
  face = new FontFace('Figtree', `url("${file}")`, { weight: '300 900' });
  try {
    await face.load();
    store(KEY, file);
  } catch {
    face = null;
  }
}

/** Show the type if it has arrived. */
export function showType(): void {
  if (face?.status === 'loaded') document.fonts.add(face);
}

/** Begin a visit in the type if this browser has had it, or in any case. */
export async function beginWithType(always = false): Promise<void> {
  if (!always && readStored(KEY) === null) return;
  await Promise.race([fetchType(), new Promise((done) => setTimeout(done, PATIENCE_MS))]);
  showType();
}
