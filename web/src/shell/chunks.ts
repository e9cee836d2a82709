// Which component shows a route. All but the first page are loaded when they are wanted.

import type { Component } from 'svelte';
import Home from '../start/Home.svelte';
import Lost from './Lost.svelte';
import type { Route } from './routes';

type Loaded = Promise<{ default: unknown }>;

const LATER: Partial<Record<Route['page'], () => Loaded>> = {
  new: () => import('../start/New.svelte'),
  join: () => import('../start/Join.svelte'),
  mine: () => import('../start/Mine.svelte'),
  settings: () => import('../start/Preferences.svelte'),
  handover: () => import('../start/HandOver.svelte'),
  hello: () => import('../start/Hello.svelte'),
  table: () => import('../table/Table.svelte'),
  game: () => import('../after/After.svelte'),
};

/** The component of a route, which takes the route as its property. */
export function chunk(
  route: Route,
): Component<{ route: Route }> | Promise<Component<{ route: Route }>> {
  if (route.page === 'home') return Home as unknown as Component<{ route: Route }>;
  const load = LATER[route.page];
  if (!load) return Lost as unknown as Component<{ route: Route }>;
  return load().then((loaded) => loaded.default as Component<{ route: Route }>);
}

/** Load what will be wanted next while nothing else is going on. */
export function preload(page: Route['page']): void {
  const load = () => void LATER[page]?.().catch(() => undefined);
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 3000 });
  else setTimeout(load, 500);
}
