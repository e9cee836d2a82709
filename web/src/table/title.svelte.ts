// What is played at a table, in the few words by which lists name it.

import type { TableStore } from '../game/table.svelte';
import type { TableLine } from '../protocol';
import { get } from '../shell/api';

export class Title {
  /** Empty until it is known, and where the table has gone meanwhile. */
  text = $state('');

  /** To be made with a component, with which it ends. */
  constructor(store: TableStore) {
    const asked = $derived([store.table?.rules, store.table?.seats.length].join());
    $effect(() => {
      void asked; // the host may change them while somebody looks
      const stop = new AbortController();
      void get<TableLine | null>(`tables/${store.code}`, {}, stop.signal).then(
        (line) => (this.text = line?.title ?? ''),
        () => undefined,
      );
      return () => stop.abort();
    });
  }
}
