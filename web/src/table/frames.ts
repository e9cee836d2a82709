// What may be drawn a little later is drawn later: a slow phone takes as long for all of a deal at once
// as a person takes to wonder whether it has stopped.

/** How long a frame may take, in milliseconds; nothing waits longer for one. A page that is hidden in
 * the meantime draws none. */
const LATE = 250;

/** Do something once all that there is has been drawn; where nothing is drawn, soon. Returns a
 * function that cancels it. */
export function onceDrawn(then: () => void): () => void {
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
