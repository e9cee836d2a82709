// A screen comes to its table by itself and stays there: nobody has to press anything.

import { tellWinner } from '../game/story';
import { endedBy } from '../game/socket';
import { TableStore } from '../game/table.svelte';
import { lastTrick } from '../game/tricks';
import { opened } from '../game/visit';
import { sentence, t } from '../say';
import { myself } from '../shell/me.svelte';

/** By how many names it is tried: there may be other screens. */
const MAX_NAMES = 8;

export class TableScreen {
  readonly store: TableStore;
  /** Why the screen may not watch; empty: it may. */
  trouble = $state('');
  /** What the table was like when it was asked last. */
  #asked = '';
  /** Whether a new cookie was asked for since the screen was in. */
  #renewed = false;

  /** To be made with a component, with which it ends. */
  constructor(code: string) {
    this.store = new TableStore(code, { screen: true });
    $effect(() => opened(this.store));
    $effect(() => this.#come());
    $effect(() => this.#renew());
    $effect(() => this.#tell());
  }

  /** Watch, or try again when anything has changed that may have been in the way. */
  #come(): void {
    const { link, table } = this.store;
    if (link !== 'open' || !table || table.me) {
      this.#asked = '';
      return;
    }
    const { options, seats, spectators } = table;
    const now = JSON.stringify([options.spectators, seats.map(({ name }) => name), spectators]);
    if (now === this.#asked) return;
    this.#asked = now;
    void this.#watch();
  }

  async #watch(): Promise<void> {
    const called = t('page.tv.name');
    for (let n = 1; n <= MAX_NAMES; n++) {
      const name = n === 1 ? called : `${called} ${n}`;
      const refused = await this.store.ask({ type: 'watch', name });
      this.trouble = refused ?? '';
      if (!refused || !this.store.table?.options.spectators) return;
    }
  }

  /** A cookie that is no longer valid: there is nobody who could be asked about it. */
  #renew(): void {
    const { closed, link, table } = this.store;
    if (link === 'open' && table?.me) this.#renewed = false;
    if (link !== 'closed' || endedBy(closed) !== 'foreign' || this.#renewed) return;
    this.#renewed = true;
    const connect = () => this.store.continueHere();
    void myself.again().then(connect, connect);
  }

  /** Coming in the middle of a round, say what was said last. */
  #tell(): void {
    const { game, note, round } = this.store;
    const last = game && !note ? lastTrick(game) : null;
    if (last && last.round === round)
      this.store.say(
        sentence(tellWinner(last.round, last.trick), { ...this.store.telling, aloud: true }),
      );
  }
}
