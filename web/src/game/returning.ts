// A seat that I have on another device, and ask for from this one, once I am at its table.

interface Returning {
  readonly table: string;
  readonly seat: number;
  /** Who had it when I asked. If they still do and I am not at the table, I asked in vain. */
  readonly asked?: string | null;
}

/** The table, and the seat there; null if I ask for none. */
export const returning: { to: Returning | null } = { to: null };
