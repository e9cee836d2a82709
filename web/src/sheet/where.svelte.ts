// Which view of the page is shown. The address says it, and changing it loads nothing.

import { address, served } from './files';

export type View = 'sheet' | 'new' | 'history' | 'judge' | 'link' | 'live';
/** The views that people open themselves, not by a link from somebody else. */
export type Own = Exclude<View, 'link' | 'live'>;

const LIVE = 'live=';

function here(): View {
  if (/\/judge(\.html|\/)?$/.test(location.pathname)) return 'judge';
  const hash = location.hash.slice(1);
  if (hash === 'new' || hash === 'history') return hash;
  if (hash.startsWith(LIVE)) return 'live';
  return hash.startsWith('1.') ? 'link' : 'sheet';
}

class Where {
  view: View = $state(here());
  /** How often the view has changed since the page was opened. */
  steps = $state(0);

  constructor() {
    addEventListener('popstate', () => this.#arrive());
  }

  /** Show a view. */
  go(view: Own): void {
    history.pushState(null, '', pathOf(view));
    this.#arrive();
  }

  /** The sheet of a link: the code of one that somebody else keeps, or the whole sheet. */
  get code(): string {
    void this.steps; // which a link to another sheet counts up
    const [view, hash] = [here(), location.hash.slice(1)];
    if (view === 'live') return hash.slice(LIVE.length);
    return view === 'link' ? hash : '';
  }

  #arrive(): void {
    this.view = here();
    this.steps += 1;
  }
}
export const where = new Where();

/** The address of a view. */
export function pathOf(view: Own): string {
  if (view === 'judge') return address(served ? 'judge' : 'judge.html');
  return address(served ? 'sheet' : './') + (view === 'sheet' ? '' : `#${view}`);
}

/** The address of a sheet in a link. */
export const linkTo = (fragment: string) => `${pathOf('sheet')}#${fragment}`;
