// What may be drawn a little later is drawn later: a slow phone takes as long for all of a deal at once
// as a person takes to wonder whether it has stopped.

/** Do something once all that there is has been drawn; where nothing is drawn, soon. Returns a
 * function that cancels it. */
export function onceDrawn(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => (timer = setTimeout(then));
  if (document.hidden) soon();
  const frame = document.hidden ? 0 : requestAnimationFrame(soon);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
