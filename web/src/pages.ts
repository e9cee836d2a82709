// Which component shows a route. All but the first page are loaded when they are needed.

import type { Component } from 'svelte';
import Home from './start/Home.svelte';
import Lost from './shell/Lost.svelte';
import { myself } from './shell/me.svelte.ts';
import { learnAfter, learnLater, learnLessons, learnRules, learnScreen } from './say.ts';
import type { Route } from './shell/routes';

type Loaded = Promise<{ default: unknown }>;

/** A page, with the sentences that only it says. */
const all = (page: Loaded, sentences: Promise<void>): Loaded => sentences.then(() => page);

const table = () => import('./table/Table.svelte');

const LATER: Partial<Record<Route['page'], () => Loaded>> = {
  new: () => all(import('./start/New.svelte'), learnRules()),
  join: () => all(import('./start/Join.svelte'), learnLater()),
  mine: () => all(import('./start/MyTables.svelte'), learnLater()),
  settings: () => all(import('./start/Preferences.svelte'), learnLater()),
  handover: () => all(import('./start/HandOver.svelte'), learnLater()),
  hello: () => all(import('./start/Hello.svelte'), learnLater()),
  learn: () => all(import('./start/Learning.svelte'), learnLessons()),
  table: () => {
    // A table is only opened to somebody: who that is is asked while it is loaded.
    void myself.known().catch(() => undefined);
    return table();
  },
  tv: () => all(import('./tv/Tv.svelte'), learnScreen()),
  game: () => all(import('./after/After.svelte'), learnAfter()),
  stats: () => all(import('./after/Stats.svelte'), learnAfter()),
  day: () => all(import('./after/Day.svelte'), learnAfter()),
  open: () => all(import('./after/Open.svelte'), learnAfter()),
};

/** The component of a page, which takes its route as its property. */
export function chunk(
  page: Route['page'],
): Component<{ route: Route }> | Promise<Component<{ route: Route }>> {
  if (page === 'home') return Home as unknown as Component<{ route: Route }>;
  const load = LATER[page];
  if (!load) return Lost as unknown as Component<{ route: Route }>;
  return load().then((loaded) => loaded.default as Component<{ route: Route }>);
}

/** From where people go on to a table. */
const BEFORE_A_TABLE: readonly Route['page'][] = ['home', 'new', 'join'];

/** Load the page that is likely to come next while nothing else is going on. */
export function preloadNext({ page }: Route): void {
  if (!BEFORE_A_TABLE.includes(page)) return;
  const load = () => void table().catch(() => undefined);
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 3000 });
  else setTimeout(load, 500);
}
