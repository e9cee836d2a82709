// Giving others a text: by the clipboard, or by the share sheet of the device.

/** Copy a text; also in an insecure context, where the page cannot use the clipboard itself. */
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
    return document.execCommand('copy'); // old, and the only way over plain HTTP
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

/** Open the share sheet; closing it again is not an error. */
export async function share(title: string, url: string): Promise<void> {
  await navigator.share({ title, url }).catch(() => undefined);
}

/** Whether nobody else can follow an address: it means the very device it is opened on. */
export function isLocalhost(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\])/.test(hostname)
  );
}
