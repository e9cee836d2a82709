// How far the worker with the tables is, for components to show.

import { type State, watch } from './home.ts';

class Standing {
  state: State = $state.raw({ phase: 'loading', done: 0, total: 0 });

  constructor() {
    watch((state) => (this.state = state));
  }
}
export const standing = new Standing();
