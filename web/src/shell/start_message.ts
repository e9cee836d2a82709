/** The page runs, so its message about not starting (web/cannot.ts) is removed; browsers older than
 * supported keep the part that names the supported ones. */
export function removeStartMessage(): void {
  const cannot = document.getElementById('cannot');
  // Features that came last: one in Chrome 111, the other in Firefox 121.
  const isOld = !['color: color-mix(in srgb, red, red)', 'selector(:has(a))'].every((each) =>
    CSS.supports(each),
  );
  if (isOld) cannot?.classList.add('old');
  else cannot?.remove();
}
