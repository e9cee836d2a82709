// A long press on something of the table asks what it is; so do the right button of a mouse and the
// keyboard's menu key. It counts as nothing else: no card is played, pulled or put down by it.

/** After how long a press is a long one, in milliseconds. */
const LONG_MS = 500;
/** How far a finger may stray meanwhile, in pixels: less than what pulls a card. */
const STRAY = 10;
/** For how long after a long press a click is the end of it, in milliseconds. */
const SPENT_MS = 400;

/** What can be explained, at an element or around it. */
export function explainable(at: EventTarget | null): HTMLElement | null {
  return at instanceof Element ? at.closest<HTMLElement>('[data-about]') : null;
}

/** Tell `ask` what is pressed for long, wherever it lies below a node. */
export function pressing(ask: (what: HTMLElement) => void): (root: HTMLElement) => () => void {
  return (root) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let [x, y] = [0, 0];
    let down = false;
    /** Whether the press that is under way, or was just now, has asked. */
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
