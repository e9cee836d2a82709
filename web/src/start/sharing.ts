// Shares text via the clipboard or the device's share sheet.

/** Copy a text, even in an insecure context, which has no clipboard API. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'unseen';
  const before = document.activeElement;
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy'); // deprecated, and the only way over plain HTTP
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}

/** Whether the device has a share sheet. */
export function canShare(): boolean {
  return typeof navigator.share === 'function';
}

/** Open the share sheet; dismissing it is not an error. */
export async function share(title: string, url: string): Promise<void> {
  await navigator.share({ title, url }).catch(() => undefined);
}

/** Open the share sheet with a text. Returns whether the device has one. */
export async function shareText(text: string): Promise<boolean> {
  if (!canShare()) return false;
  await navigator.share({ text }).catch(() => undefined);
  return true;
}

/** A result as text: its title, a square per bid (met or not), and a sentence. */
export function resultText(
  title: string,
  met: readonly boolean[],
  told: string,
  url?: string,
): string {
  const squares = met.map((each) => (each ? '🟩' : '⬜')).join('');
  return [title, squares, told, ...(url ? [url] : [])].join('\n');
}

/** Whether an address only works on the device that opens it. */
export function isLocalhost(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\])/.test(hostname)
  );
}
