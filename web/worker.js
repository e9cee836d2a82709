// Keeps the page's own files (they never change under their names) and its empty frame, so that an
// installed page opens even without a network, and says what is wrong then. The score sheet, once
// opened, is kept whole. Nothing of a game at a table is ever kept: requests under api/ and ws/
// never come through here.

import './notified.js';

const STORE = 'rage-1';
/** How long to wait for the network if an earlier page is stored. */
const PATIENCE_MS = 4000;
const scope = new URL(self.registration.scope);

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(STORE).then((store) => store.add(new Request('./', { cache: 'reload' }))),
  );
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const forget = async () => {
    // Other apps may have stores on the same host.
    const old = (await caches.keys()).filter((name) => /^rage-\d/.test(name) && name !== STORE);
    for (const name of old) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || !url.href.startsWith(scope.href)) return;
  const path = url.href.slice(scope.href.length);
  if (/^(sheet\/)?assets\//.test(path)) event.respondWith(kept(request));
  else if (request.mode === 'navigate' && !/^(api|schema|healthz|readyz)\b/.test(path)) {
    event.respondWith(frame(event, frameOf(path)));
  }
});

// The score sheet and the trick judge need no server once they are here: their page sends the
// addresses of all its files.
self.addEventListener('message', (event) => {
  const { start, files } = event.data;
  event.waitUntil(keepSheet(start, files));
});

/** The name under which the start of a page is kept: the table's, or the score sheet's. */
function frameOf(path) {
  return /^(sheet|judge)\/?([?#]|$)/.test(path) ? './sheet' : './';
}

async function keepSheet(start, files) {
  const store = await caches.open(STORE);
  const missing = [];
  for (const file of files) if (!(await store.match(file))) missing.push(file);
  await Promise.all(missing.map((file) => store.add(file).catch(() => undefined)));
  const name = frameOf(start.slice(scope.href.length));
  await renew(store, name, await fetch(start, { cache: 'no-cache' }));
}

/** A file from the store, or from the network into it. */
async function kept(request) {
  const store = await caches.open(STORE);
  const found = await store.match(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await keep(store, request, response);
  return response;
}

/** Keep a response; if the device has no room left, it is shown all the same. */
async function keep(store, name, response) {
  await store.put(name, response.clone()).catch(() => undefined);
}

/** The statuses of a proxy while the server behind it is away. */
const AWAY = [502, 503, 504];

/** Reject after a while, for a network that accepts everything and answers nothing. */
function tooLate() {
  return new Promise((_, fail) => setTimeout(fail, PATIENCE_MS));
}

/** A page from the network, or else the last start kept: pages find their way themselves. */
async function frame(event, name) {
  const store = await caches.open(STORE);
  const before = await store.match(name);
  try {
    const fresh = fetch(event.request);
    const response = await (before ? Promise.race([fresh, tooLate()]) : fresh);
    event.waitUntil(renew(store, name, response.clone()).catch(() => undefined));
    return before && AWAY.includes(response.status) ? before : response;
  } catch (error) {
    // In a folder of files, the start is the score sheet, and its other pages are the same.
    const other = before ?? (name === './' ? undefined : await store.match('./'));
    if (other) return other;
    throw error;
  }
}

/** Replace the kept start if a new page is of another version, whose files.json says which old
 * files go. Only the start itself is kept: a table's page has more in its head. */
async function renew(store, name, response) {
  const before = await store.match(name);
  const entry = await entryOf(response);
  if (!entry || (before && (await entryOf(before)) === entry)) return;
  const start = await fetch(name, { cache: 'no-cache' });
  if (!start.ok) return;
  const folder = name === './' ? scope.href : `${scope.href}sheet/`;
  const files = await (await fetch(`${folder}files.json`, { cache: 'no-cache' })).json();
  await keep(store, name, start);
  for (const old of await store.keys()) {
    const file = old.url.replace(folder, '');
    if (file.startsWith('assets/') && !files.includes(file)) await store.delete(old);
  }
}

/** The script that a page begins with, named differently in each version; none if the page is not
 * ours. */
async function entryOf(response) {
  return response.ok && /src="(\S*assets\S+)"/.exec(await response.text())?.[1];
}
