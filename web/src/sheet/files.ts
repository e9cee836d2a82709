// Keeps the page's own files, so that it works without a network: in the worker if the browser
// allows one, or loaded at once for as long as the page is open.

import { prepare } from '../shell/install.svelte';

/** Whether a server sends the page, from a folder next to the table, with which it shares its
 * worker; a folder of files (`rage sheet --static`) has everything in it. */
export const served = document.querySelector('base') !== null;

/** The address of a path below the server, or in the folder. */
export function address(path: string): string {
  return new URL(served ? `../${path}` : path, document.baseURI).href;
}

/** Where the table is: next to the sheet on a server, around it in a folder with both
 * (`make alone`), and nowhere in a folder of its own. */
export const home = served
  ? address('./')
  : (document.querySelector<HTMLLinkElement>('link[rel=up]')?.href ?? null);

/** Keep every file of the page for later. */
export function keepFiles(): void {
  if (!import.meta.env.PROD || !navigator.onLine) return;
  const worker = prepare(new URL(address('worker.js')));
  const load = () => void keepAll(worker).catch(() => undefined);
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 2000 });
  else setTimeout(load, 1000);
}

async function keepAll(worker: Promise<boolean>): Promise<void> {
  const answer = await fetch(new URL('files.json', document.baseURI));
  const paths = (await answer.json()) as string[];
  const files = paths.map((path) => new URL(path, document.baseURI).href);
  if (await worker) {
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage({ start: address(served ? 'sheet' : './'), files });
  } else {
    const scripts = files.filter((file) => file.endsWith('.js'));
    // eslint-disable-next-line no-restricted-syntax -- what has been built, whatever it is
    await Promise.all(scripts.map((file) => import(/* @vite-ignore */ file)));
  }
}
