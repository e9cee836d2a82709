// Texts that this browser stores for the page. If storage is blocked or full, nothing is found, and
// stored texts last only as long as the page.

/** For all visits, or only while the tab is open. */
type Store = 'localStorage' | 'sessionStorage';

export function readStored(key: string, where: Store = 'localStorage'): string | null {
  try {
    return globalThis[where].getItem(key);
  } catch {
    return null;
  }
}

/** Stored JSON data; null if missing or damaged. */
export function storedData(key: string, where?: Store): unknown {
  try {
    return JSON.parse(readStored(key, where) ?? 'null');
  } catch {
    return null;
  }
}

/** Store a text. Returns whether the browser could. */
export function store(key: string, text: string, where: Store = 'localStorage'): boolean {
  try {
    globalThis[where].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
