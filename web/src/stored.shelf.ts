// For tests: what stands in for a browser's store.

/** A store, which may be full. What it holds are its properties, as in a browser. */
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
