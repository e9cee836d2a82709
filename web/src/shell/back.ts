// The browser's Back, which on a phone is a gesture: it closes what lies over the page before it leaves
// the page. For that, whatever opens over the page adds a step to the history.

interface Over {
  readonly step: string;
  readonly close: () => void;
  /** Whether its step is in the history by now. */
  added: boolean;
}

/** What is open over the page, from below. */
const open: Over[] = [];
/** The history outlives a load of the page, so a step says in which load it was added. */
const LOADED = performance.timeOrigin;
let count = 0;
/** How many steps are our own doing, and still to come. */
let own = 0;
/** Whether the last one was forward, as far as the browser tells. */
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
    return;
  }
  const top = open.at(-1);
  if (top?.added && !isHere(top)) top.close();
  else if (!top) pass();
});

/** What was open here is not any more: a link in it has led on, or the page was loaded again. Whoever
 * comes by goes on in the same direction. */
function pass(): void {
  if (stepHere() === undefined) return;
  if (!forward || !navigation.canGoForward) return leave();
  own += 1;
  history.forward();
}

function leave(): void {
  own += 1;
  history.back();
}
pass();

/** Close with Back, too, from now on. Gives what to call once it is closed, in whatever way. */
export function closeOnBack(close: () => void): () => void {
  const over: Over = { step: `${LOADED}.${(count += 1)}`, close, added: false };
  open.push(over);
  // A step back that is still to come would take away the one that is added now.
  if (own === 0) add(over);
  return () => {
    open.splice(open.indexOf(over), 1);
    if (!isHere(over)) return; // Back has closed it, or a link in it has led on
    leave();
  };
}
