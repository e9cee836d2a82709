// For tests: a stand-in for a browser's store, and tabs of their own.

import { vi } from 'vitest';

/** A store, which may be full. As in a browser, its contents are its properties. */
export class Shelf {
  static full = false;

  getItem(key: string): string | null {
    return (this as unknown as Record<string, string>)[key] ?? null;
  }
  setItem(key: string, text: string): void {
    if (Shelf.full) throw new Error('full');
    Object.assign(this, { [key]: text });
  }
  removeItem(key: string): void {
    delete (this as unknown as Record<string, string>)[key];
  }
}

/** What a module is in a new tab, with a function that passes it events of the browser. */
export async function inNewTab<Module extends object>(load: () => Promise<Module>) {
  const listening: [type: string, listener: (event: object) => void][] = [];
  vi.stubGlobal('addEventListener', (...each: (typeof listening)[0]) => listening.push(each));
  vi.resetModules();
  const hear = (type: string, event: object) =>
    listening.forEach(([each, listener]) => each === type && listener(event));
  return { ...(await load()), hear };
}
