// Maps routes to components. All but the first page are loaded on demand.

import type { Component } from 'svelte';
import Home from './start/Home.svelte';
import Lost from './shell/Lost.svelte';
import { myself } from './shell/me.svelte.ts';
import { add, partOf } from './languages';
import { late } from './late';
import type { Catalogue } from './say';
import type { Route } from './shell/routes';

type Loaded = Promise<{ default: unknown }>;

/** The sentences said only about games that are over, and at evenings. */
const AFTER = partOf(
  import.meta.glob<Catalogue>('../../src/rage/locale/*.json', {
    query: '?after',
    import: 'default',
  }),
);

/** A page that says them, once all its sentences are loaded. */
async function after<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([late(part), add(AFTER)]);
  return loaded;
}

const table = () => import('./table/Table.svelte');

const LATER: Partial<Record<Route['page'], () => Loaded>> = {
  new: () => late(import('./start/New.svelte')),
  mine: () => late(import('./start/MyTables.svelte')),
  settings: () => late(import('./start/Preferences.svelte')),
  learn: () => late(import('./guided/Guided.svelte')),
  table: () => {
    // A table needs to know who I am: ask the server while the code is loading.
    void myself.known().catch(() => undefined);
    return table();
  },
  game: () => after(import('./after/After.svelte')),
  stats: () => after(import('./after/Stats.svelte')),
  day: () => after(import('./after/Day.svelte')),
  open: () => after(import('./after/Open.svelte')),
  // Pages to invite others, or to come as another person.
  ...(!__ALONE__ && {
    join: () => late(import('./start/Join.svelte')),
    handover: () => late(import('./start/HandOver.svelte')),
    recover: () => late(import('./start/Recover.svelte')),
    hello: () => late(import('./start/Hello.svelte')),
    tv: () => late(import('./tv/Tv.svelte')),
    event: () => after(import('./evening/Evening.svelte')),
  }),
};

/** The component of a page, which takes its route as a property. */
export function chunk(
  page: Route['page'],
): Component<{ route: Route }> | Promise<Component<{ route: Route }>> {
  if (page === 'home') return Home as unknown as Component<{ route: Route }>;
  const load = LATER[page];
  if (!load) return Lost as unknown as Component<{ route: Route }>;
  return load().then((loaded) => loaded.default as Component<{ route: Route }>);
}

/** The pages from which people continue to a table. */
const BEFORE_A_TABLE: readonly Route['page'][] = ['home', 'new', 'join'];

/** Load the likely next page while nothing else is going on. */
export function preloadNext({ page }: Route): void {
  if (!BEFORE_A_TABLE.includes(page)) return;
  const load = () => void table().catch(() => undefined);
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 3000 });
  else setTimeout(load, 500);
}
