// The state of the worker with the tables, for components to show.

import { isGone, type State, watch } from './home.ts';

export class Standing {
  state: State = $state.raw({ phase: 'loading', done: 0, total: 0 });

  /** Whether requests get no answers here. */
  get gone(): boolean {
    return isGone(this.state);
  }

  constructor() {
    watch((state) => (this.state = state));
  }
}
export const standing = new Standing();
