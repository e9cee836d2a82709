// Failed requests to the server, as sentences.

import { t } from '../say';

/** A request that was refused or failed. `message` is for people. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(message: string, status = 0, code = '') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Any error, as a sentence for people. */
export function explain(error: unknown): string {
  return error instanceof Refusal ? error.message : t('page.error.unknown');
}
