// The short name of the rules of a table, as in lists.

import type { TableStore } from '../game/table.svelte';
import type { TableLine } from '../protocol';
import { get } from '../shell/api';

export class Title {
  /** Empty until known, and if the table is gone. */
  text = $state('');

  /** Create within a component; it ends with the component. */
  constructor(store: TableStore) {
    const asked = $derived([store.table?.rules, store.table?.seats.length].join());
    $effect(() => {
      void asked; // the host may change them meanwhile
      const stop = new AbortController();
      void get<TableLine | null>(`tables/${store.code}`, {}, stop.signal).then(
        (line) => (this.text = line?.title ?? ''),
        () => undefined,
      );
      return () => stop.abort();
    });
  }
}
