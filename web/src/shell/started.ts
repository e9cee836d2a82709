/** The page runs: what its HTML says where it does not start (web/cannot.ts) goes. In a browser older
 * than the oldest that it is built for, there remains which those are. */
export function started(): void {
  const cannot = document.getElementById('cannot');
  // Chrome 111 was the last of them to learn the one, Firefox 121 the last to learn the other.
  const isOld = !['color: color-mix(in srgb, red, red)', 'selector(:has(a))'].every((each) =>
    CSS.supports(each),
  );
  if (isOld) cannot?.classList.add('old');
  else cannot?.remove();
}
