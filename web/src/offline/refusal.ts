// A refusal that explains itself: a code of the catalogue and the parameters of its sentence.

/** Why something is so, as data: what `sentence` of say.ts puts into words. */
export interface Reason {
  readonly code: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What is thrown for data that cannot be read or is not allowed. */
export class Refusal extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.code);
    this.name = 'Refusal';
    this.reason = reason;
  }
}

/** Throws the refusal of a code. */
export function refuse(code: string, params: Readonly<Record<string, unknown>> = {}): never {
  throw new Refusal({ code, params });
}
