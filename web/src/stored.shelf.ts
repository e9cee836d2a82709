// For tests: a stand-in for a browser's store.

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
