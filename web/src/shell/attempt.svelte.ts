// A request of a person that the server may refuse.

import { explain } from './failing.ts';

export class Attempt {
  /** Why the last attempt failed; empty if it did not. */
  trouble = $state('');
  busy = $state(false);

  /** Try it, unless an attempt is under way. */
  async make(what: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.trouble = '';
    try {
      await what();
    } catch (error) {
      this.trouble = explain(error);
    } finally {
      this.busy = false;
    }
  }
}
