// Installing the page, and notifications. Neither works over plain HTTP from another machine; then
// `secure` is false, and the page says so.

/** Chromium's event; other browsers install from their menus. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

class Installation {
  readonly secure = isSecureContext;
  /** Whether the page already runs as an app. */
  readonly installed = matchMedia('(display-mode: standalone)').matches;
  #prompt: InstallPrompt | null = $state.raw(null);

  get offered(): boolean {
    return this.#prompt !== null;
  }

  offer(event: Event): void {
    event.preventDefault();
    this.#prompt = event as InstallPrompt;
  }

  async install(): Promise<void> {
    const prompt = this.#prompt;
    this.#prompt = null;
    await prompt?.prompt();
  }
}
export const installation = new Installation();

/** Listen for the browser's offer, and let a worker keep the page's files. Returns whether it will.
 * */
export async function prepare(worker = new URL('worker.js', document.baseURI)): Promise<boolean> {
  addEventListener('beforeinstallprompt', (event) => installation.offer(event));
  if (!installation.secure || !import.meta.env.PROD || !('serviceWorker' in navigator))
    return false;
  if (document.readyState !== 'complete') {
    await new Promise((resume) => addEventListener('load', resume));
  }
  return navigator.serviceWorker.register(worker).then(
    () => true,
    () => false,
  );
}
