// An evening of several tables: asked for again and again while somebody looks, and changed.

import { untrack } from 'svelte';
import type { Direct, EventData } from '../protocol';
import { spoken } from '../say';
import { explain, get, Refusal, send } from '../shell/api';
import { Attempt } from '../shell/attempt.svelte';
import { myself } from '../shell/me.svelte';

/** How often others' changes are asked for, in milliseconds. */
const EVERY_MS = 3000;
/** Where this browser notes that it has been at an evening, and to which table of one it last went
 * by itself. */
export const SENT = 'rage.evening';

export class Evening {
  readonly code: string;
  data: EventData | null = $state.raw(null);
  /** Why it could not be asked for; empty if it could. */
  trouble = $state('');
  /** Whether there is no such evening. */
  lost = $state(false);
  readonly attempt = new Attempt();
  /** Counts changes of my own: an answer that was under way meanwhile is outdated. */
  #changes = 0;

  /** Created within a component, and ends with it. */
  constructor(code: string) {
    this.code = code;
    $effect(() => {
      void spoken(); // the title is in that language, too
      return untrack(() => this.#watch());
    });
  }

  #watch(): () => void {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let busy = false;
    const look = async () => {
      if (busy || document.visibilityState !== 'visible') return;
      clearTimeout(timer);
      busy = true;
      await this.#ask(gone.signal);
      busy = false;
      if (!gone.signal.aborted && !this.lost && this.data?.phase !== 'over')
        timer = setTimeout(() => void look(), EVERY_MS);
    };
    const again = () => void look();
    document.addEventListener('visibilitychange', again);
    again();
    return () => {
      gone.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const before = this.#changes;
    try {
      await myself.known();
      const data = await get<EventData>(`events/${this.code}`, {}, signal);
      if (before === this.#changes && !signal.aborted) this.data = data;
      this.trouble = '';
    } catch (error) {
      if (signal.aborted) return;
      this.lost = error instanceof Refusal && error.status === 404;
      this.trouble = explain(error);
    }
  }

  join = () => this.#change('join', () => ({ name: myself.name }));
  leave = () => this.#change('leave');
  direct = (what: Direct) => this.#change('direct', () => what);

  #change(path: string, body?: () => unknown): Promise<void> {
    return this.attempt.make(async () => {
      await myself.known(); // a name that was just typed is stored first
      this.#changes += 1;
      this.data = await send<EventData>('POST', `events/${this.code}/${path}`, body?.());
      this.#changes += 1;
    });
  }
}
