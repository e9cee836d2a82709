// Runs in the page, before its own program. For every card that this player plays it measures the
// milliseconds from the click until the frame that shows it in the trick is painted, and until it has
// come to rest.
{
  const moves = [];
  window.rageMoves = moves;
  let clicked = 0;
  addEventListener('click', (event) => (clicked = event.timeStamp), true);

  const after = (frame) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = frame;
    requestAnimationFrame(() => channel.port2.postMessage(null));
  };
  const middle = (node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x + width / 2, y + height / 2, width];
  };
  const apart = (card) => {
    const [x, y, width] = middle(card);
    const [flownX, flownY] = middle(card.firstElementChild);
    return Math.hypot(flownX - x, flownY - y) / width;
  };

  function note(card) {
    const from = clicked;
    let painted = null;
    const look = () => {
      const now = performance.now() - from;
      painted ??= now;
      if (!card.isConnected || apart(card) < 0.1) moves.push({ painted, landed: now });
      else after(look);
    };
    after(look);
  }

  new MutationObserver((changes) => {
    const seat = document.querySelector('.mine[data-seat]')?.dataset.seat;
    for (const node of changes.flatMap((change) => [...change.addedNodes])) {
      if (node instanceof Element && node.matches(`[data-played][data-by="${seat}"]`)) note(node);
    }
  }).observe(document, { childList: true, subtree: true });
}
