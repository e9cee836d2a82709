// A long press on an element of the table explains it; so do the right mouse button and the menu
// key. It does nothing else: no card is played, dragged or dropped.

/** The duration of a long press, in milliseconds. */
const LONG_MS = 500;
/** How far a finger may move meanwhile, in pixels: less than it takes to drag a card. */
const STRAY = 10;
/** How long after a long press a click still belongs to it, in milliseconds. */
const SPENT_MS = 400;

/** The explainable element at a node or around it. */
export function explainable(at: EventTarget | null): HTMLElement | null {
  return at instanceof Element ? at.closest<HTMLElement>('[data-about]') : null;
}

/** Call `ask` with elements below a node that are pressed long. */
export function pressing(ask: (what: HTMLElement) => void): (root: HTMLElement) => () => void {
  return (root) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let [x, y] = [0, 0];
    let down = false;
    /** Whether the current or latest press was long. */
    let spent = false;
    const left = new AbortController();
    const { signal } = left;

    function found(what: HTMLElement) {
      clearTimeout(timer);
      if (spent) return;
      spent = down;
      ask(what);
    }
    function begin(event: PointerEvent) {
      clearTimeout(timer);
      [x, y, down, spent] = [event.clientX, event.clientY, true, false];
      const what = explainable(event.target);
      if (what && event.isPrimary && event.pointerType !== 'mouse')
        timer = setTimeout(found, LONG_MS, what);
    }
    function move(event: PointerEvent) {
      if (!down) return;
      if (spent) event.stopImmediatePropagation();
      else if (Math.hypot(event.clientX - x, event.clientY - y) > STRAY) clearTimeout(timer);
    }
    function end() {
      clearTimeout(timer);
      down = false;
      if (spent) timer = setTimeout(() => (spent = false), SPENT_MS);
    }
    function menu(event: MouseEvent) {
      const what = explainable(event.target);
      if (!what) return;
      event.preventDefault();
      found(what);
    }
    function click(event: MouseEvent) {
      if (!spent) return;
      event.preventDefault();
      event.stopPropagation();
    }
    const early = { capture: true, signal };
    root.addEventListener('pointerdown', begin, early);
    root.addEventListener('contextmenu', menu, early);
    root.addEventListener('click', click, early);
    addEventListener('pointermove', move, early);
    addEventListener('pointerup', end, early);
    addEventListener('pointercancel', end, early);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  };
}
