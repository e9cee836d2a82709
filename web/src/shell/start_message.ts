/** Remove the message about not starting (web/cannot.ts), because the page runs. Unsupported
 * browsers keep the part that names the supported ones. */
export function removeStartMessage(): void {
  const cannot = document.getElementById('cannot');
  // The latest features required: one came with Chrome 111, the other with Firefox 121.
  const isOld = !['color: color-mix(in srgb, red, red)', 'selector(:has(a))'].every((each) =>
    CSS.supports(each),
  );
  if (isOld) cannot?.classList.add('old');
  else cannot?.remove();
}
