// Text out of the page: over the system's own sheet, the clipboard, or, where a page over plain
// HTTP has neither, the old command.

/** Copy a text. False where the browser does not let us. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  const focused = document.activeElement;
  field.value = text;
  field.className = 'unseen';
  document.body.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}

/** Whether the system can share a link. */
export function canShare(): boolean {
  return typeof navigator.share === 'function';
}

/** Share a link over the system's sheet. False where that was not to be. */
export async function share(url: string, title: string): Promise<boolean> {
  try {
    await navigator.share({ url, title });
    return true;
  } catch {
    return false; // closed by who opened it, or not allowed
  }
}
