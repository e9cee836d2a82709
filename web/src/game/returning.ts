// A seat that I have on another device, and ask for from this one, once I am at its table.

/** The table, and the seat there; null if I ask for none. */
export const returning: { to: { readonly table: string; readonly seat: number } | null } = {
  to: null,
};
