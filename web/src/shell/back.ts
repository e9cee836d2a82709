// Makes the browser's Back, a gesture on phones, close an overlay before it leaves the page: each
// overlay adds a step to the history.

interface Over {
  readonly step: string;
  readonly close: () => void;
  /** Whether its step is already in the history. */
  added: boolean;
}

/** The open overlays, lowest first. */
const open: Over[] = [];
/** The history survives a reload, so each step names the load that added it. */
const LOADED = performance.timeOrigin;
let count = 0;
/** How many of our own steps are still to happen. */
let own = 0;
/** Calls for after those steps. */
const later: (() => void)[] = [];
/** Whether the last step was forward, as far as the browser tells. */
let forward = false;
if ('navigation' in globalThis)
  navigation.addEventListener('currententrychange', ({ from }) => {
    forward = from.index < (navigation.currentEntry?.index ?? 0);
  });

function add(over: Over): void {
  over.added = true;
  history.pushState({ over: over.step }, '');
}

function isHere(over: Over): boolean {
  return stepHere() === over.step;
}

function stepHere(): string | undefined {
  return (history.state as { over?: string } | null)?.over;
}

addEventListener('popstate', () => {
  if (own > 0) {
    own -= 1;
    if (own > 0) return;
    for (const over of open) if (!over.added) add(over);
    if (!open.length) pass();
    if (own === 0) for (const run of later.splice(0)) run();
    return;
  }
  const top = open.at(-1);
  if (top?.added && !isHere(top)) top.close();
  else if (!top) pass();
});

/** Skip a step whose overlay is gone, because a link in it led on or the page was reloaded, in the
 * same direction. */
function pass(): void {
  if (stepHere() === undefined) return;
  if (!forward || !navigation.canGoForward) return leave();
  own += 1;
  history.forward();
}

/** Run this once no step of ours is pending: it would undo a navigation made before it. */
export function afterSteps(run: () => void): void {
  if (own === 0) run();
  else later.push(run);
}

function leave(): void {
  own += 1;
  history.back();
}
pass();

/** Also close with Back from now on. Returns a function to call once it is closed in any way. */
export function closeOnBack(close: () => void): () => void {
  const over: Over = { step: `${LOADED}.${(count += 1)}`, close, added: false };
  open.push(over);
  // A pending step back would remove the step that is added now.
  if (own === 0) add(over);
  return () => {
    open.splice(open.indexOf(over), 1);
    if (!isHere(over)) return; // closed by Back, or by a link in it
    leave();
  };
}
