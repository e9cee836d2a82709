// Draws in steps, because drawing a whole deal at once takes so long on a slow phone that it seems
// to have stopped.

/** The longest wait for a frame, in milliseconds; a page that was hidden draws none. */
const LATE = 250;

/** Call back once everything so far is drawn, or this many frames later, or soon if nothing is
 * drawn. Returns a function that cancels it. */
export function onceDrawn(then: () => void, frames = 1): () => void {
  if (frames > 1) {
    let cancel = onceDrawn(() => (cancel = onceDrawn(then, frames - 1)));
    return () => cancel();
  }
  const late = () => {
    cancelAnimationFrame(frame);
    then();
  };
  let timer = setTimeout(late, document.hidden ? 0 : LATE);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(then);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
