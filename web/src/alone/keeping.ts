// The files of a folder without a server: a service worker (web/keeper.js) keeps them for visits
// without a network, and loads each later version whole before a page sees any of it.

/** How long a page waits for a worker, in milliseconds. */
const PATIENCE_MS = 2000;
/** How long it waits for a later version to take over, which fails while another page is open. */
const TAKEOVER_MS = 500;

/** Resolves once everything loaded from now on is kept, or if nothing can be kept. A later version
 * loaded in the meantime takes over first, and the page reloads. */
export async function keepFiles(): Promise<void> {
  const workers = import.meta.env.PROD ? navigator.serviceWorker : undefined;
  if (!workers) return;
  const script = new URL('worker.js', document.baseURI);
  const registration = await workers.register(script).catch(() => undefined);
  if (!registration) return;
  if (!workers.controller) return void (await changed(workers, PATIENCE_MS));
  registration.waiting?.postMessage('take over');
  if (registration.waiting && (await changed(workers, TAKEOVER_MS))) {
    location.reload();
    await new Promise(() => undefined);
  }
}

/** Whether another worker takes control within some milliseconds. */
function changed(workers: ServiceWorkerContainer, patience: number): Promise<boolean> {
  return new Promise((resolve) => {
    workers.addEventListener('controllerchange', () => resolve(true), { once: true });
    setTimeout(resolve, patience, false);
  });
}
