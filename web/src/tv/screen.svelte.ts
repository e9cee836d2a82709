// Brings a screen to its table and keeps it there, without anyone pressing anything.

import { tellWinner } from '../game/story';
import { endedBy } from '../game/socket';
import { TableStore } from '../game/table.svelte';
import { lastTrick } from '../game/tricks';
import { openVisit } from '../game/visit';
import { sentence, t } from '../say';
import { myself } from '../shell/me.svelte';

/** How many names to try, because there may be other screens. */
const MAX_NAMES = 8;

export class TableScreen {
  readonly store: TableStore;
  /** Why the screen cannot watch; empty if it can. */
  trouble = $state('');
  /** The state of the table when last asked. */
  #asked = '';
  /** Whether a new cookie was requested since the screen was last in. */
  #renewed = false;

  /** Created within a component, and ends with it. */
  constructor(code: string) {
    this.store = new TableStore(code, { screen: true });
    $effect(() => openVisit(this.store));
    $effect(() => this.#come());
    $effect(() => this.#renew());
    $effect(() => this.#tell());
  }

  /** Watch, or try again once an obstacle may have gone. */
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

  /** Request a new cookie: the old one is no longer valid, and there is no one to ask. */
  #renew(): void {
    const { closed, link, table } = this.store;
    if (link === 'open' && table?.me) this.#renewed = false;
    if (link !== 'closed' || endedBy(closed) !== 'foreign' || this.#renewed) return;
    this.#renewed = true;
    const connect = () => this.store.continueHere();
    void myself.again().then(connect, connect);
  }

  /** Say the last sentence after arriving in the middle of a round. */
  #tell(): void {
    const { game, note, round } = this.store;
    const last = game && !note ? lastTrick(game) : null;
    if (last && last.round === round)
      this.store.say(
        sentence(tellWinner(last.round, last.trick), { ...this.store.telling, aloud: true }),
      );
  }
}
