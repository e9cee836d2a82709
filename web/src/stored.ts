// What this browser keeps for the page, text by text. It may keep nothing (storage that is blocked,
// or full): nothing is found then, and what was to be kept lasts as long as the page.

/** For all visits, or for as long as the tab is open. */
type Store = 'localStorage' | 'sessionStorage';

export function stored(key: string, where: Store = 'localStorage'): string | null {
  try {
    return globalThis[where].getItem(key);
  } catch {
    return null;
  }
}

/** What is kept as JSON; null where it is damaged, too. */
export function storedData(key: string, where?: Store): unknown {
  try {
    return JSON.parse(stored(key, where) ?? 'null');
  } catch {
    return null;
  }
}

/** Keep a text; whether this browser could. */
export function store(key: string, text: string, where: Store = 'localStorage'): boolean {
  try {
    globalThis[where].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
