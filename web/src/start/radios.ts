// Radio buttons that show the value in force.

/** In a group of radio buttons, check only the one with a value: nothing else undoes a refused
 * choice. */
export function checkOnly({ form, name, ownerDocument }: HTMLInputElement, value: string): void {
  const all = (form ?? ownerDocument).querySelectorAll<HTMLInputElement>('input[type=radio]');
  for (const each of all) if (each.name === name) each.checked = each.value === value;
}
