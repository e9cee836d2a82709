// The shown route: the browser's history, with our own paths below a base.

import { afterSteps } from './back';
import { type Route, routeOf, tableOf } from './routes';

const base = new URL(document.baseURI);

function here(): Route {
  const { pathname, search, hash } = location;
  const below = pathname.startsWith(base.pathname) ? pathname.slice(base.pathname.length) : '';
  return routeOf(decode(below), search, hash);
}

/** A decoded path; a path that no page has if it is broken. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '?/?/?/?';
  }
}

/** The table that I am at, and its state (web/src/game/visit.ts). */
export interface Visit {
  /** Whether it is my turn. */
  readonly turn: boolean;
  leave(): void;
}

class Place {
  route: Route = $state.raw(here());
  /** The number of navigations since the page was opened. */
  steps = $state(0);
  /** The table that I am at, also while I view a page beside it; null for none. */
  table: string | null = $state(tableOf(this.route, null));
  visit: Visit | null = $state.raw(null);

  update(): void {
    const route = here();
    // Back closed a dialog: the page stays, with its focus.
    if (JSON.stringify(route) === JSON.stringify(this.route)) return;
    this.route = route;
    const table = tableOf(this.route, this.table);
    if (table !== this.table) this.visit?.leave();
    this.table = table;
    this.steps += 1;
  }
}
export const place = new Place();

/** Go to a path below the base: `go('t/abcdefgh')`. */
export function go(path: string, { replace = false } = {}): void {
  const url = new URL(path, base);
  afterSteps(() => {
    if (replace) history.replaceState(null, '', url);
    else history.pushState(null, '', url);
    place.update();
  });
}

/** The whole address of a path below the base. */
export function address(path: string): string {
  return new URL(path, base).href;
}

/** Whether a link leads to a page of ours, which needs no loading; the score sheet is separate. */
function isOurs(url: URL): boolean {
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return false;
  return !/^(api|assets|schema|healthz|readyz|sheet|judge)\b/.test(
    url.pathname.slice(base.pathname.length),
  );
}

/** Handle links and the browser's buttons without loading pages. */
export function followLinks(): void {
  addEventListener('popstate', () => place.update());
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a');
    if (!link || !link.href || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (link.target || link.hasAttribute('download') || !isOurs(url)) return;
    event.preventDefault();
    go(url.href);
  });
}
