// The view of the page: the address names it, and changing it loads nothing.

import { address, served } from './files';

export type View = 'sheet' | 'new' | 'history' | 'judge' | 'link' | 'live';
/** The views that people open themselves, not by a link they were given. */
export type Own = Exclude<View, 'link' | 'live'>;

const LIVE = 'live=';
/** How `rage score` begins a fragment: with a sheet's file, or choices for a new sheet. */
const FILE = 'file=';
const NEW = 'new?';

function here(): View {
  if (/\/judge(\.html|\/)?$/.test(location.pathname)) return 'judge';
  const hash = location.hash.slice(1);
  if (hash === 'new' || hash === 'history') return hash;
  if (hash.startsWith(NEW)) return 'new';
  if (hash.startsWith(LIVE)) return 'live';
  return hash.startsWith('1.') || hash.startsWith(FILE) ? 'link' : 'sheet';
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

  /** The data in the address besides the view: the code of a sheet to watch, a whole sheet, or
   * choices for a new one. */
  get code(): string {
    void this.steps; // a link to another sheet increments it
    const [view, hash] = [here(), location.hash.slice(1)];
    if (view === 'live') return hash.slice(LIVE.length);
    if (view === 'new') return hash.slice(NEW.length);
    return view === 'link' ? hash : '';
  }

  #arrive(): void {
    this.view = here();
    this.steps += 1;
  }
}
export const where = new Where();

/** The sheet's file in the code of an address; `null` if that is a link. */
export function packedFile(code: string): string | null {
  return code.startsWith(FILE) ? code.slice(FILE.length) : null;
}

/** The address of a view. */
export function pathOf(view: Own): string {
  if (view === 'judge') return address(served ? 'judge' : 'judge.html');
  return address(served ? 'sheet' : './') + (view === 'sheet' ? '' : `#${view}`);
}

/** The address of a sheet in a link. */
export const linkTo = (fragment: string) => `${pathOf('sheet')}#${fragment}`;
