// Refusals as data: a key of the catalogue and the parameters of its sentence.

/** A reason as data; `sentence` of say.ts puts it into words. */
export interface Reason {
  readonly code: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Thrown for data that cannot be read or is not allowed. */
export class Refusal extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.code);
    this.name = 'Refusal';
    this.reason = reason;
  }
}

/** Throws a refusal. */
export function refuse(code: string, params: Readonly<Record<string, unknown>> = {}): never {
  throw new Refusal({ code, params });
}
