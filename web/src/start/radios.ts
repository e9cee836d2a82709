// Radio buttons that show what is in force.

/** Of all radio buttons with the name of one, let only that with a value be checked: where a choice
 * was refused, nothing else would take it back. */
export function checkOnly({ form, name, ownerDocument }: HTMLInputElement, value: string): void {
  const all = (form ?? ownerDocument).querySelectorAll<HTMLInputElement>('input[type=radio]');
  for (const each of all) if (each.name === name) each.checked = each.value === value;
}
