// Keeps the page's own files (they never change under their names) and its empty frame, so that an
// installed page opens at once, and says what is wrong where there is no network. The score sheet,
// once opened, is kept whole. Nothing of a game at a table is ever kept: whatever is under api/ and
// ws/ never comes through here.

const STORE = 'rage-1';
const scope = new URL(self.registration.scope);

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(STORE).then((store) => store.add(new Request('./', { cache: 'reload' }))),
  );
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const forget = async () => {
    // Others may have theirs on the same host.
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
    event.respondWith(frame(request, frameOf(path)));
  }
});

// The score sheet and the trick judge need no server once they are here: their page sends the
// addresses of all its files.
self.addEventListener('message', (event) => {
  const { start, files } = event.data;
  event.waitUntil(keepSheet(start, files));
});

/** Under which name the start of a page is kept: that of the table, or of the score sheet. */
function frameOf(path) {
  return /^(sheet|judge)\b/.test(path) ? './sheet' : './';
}

async function keepSheet(start, files) {
  const store = await caches.open(STORE);
  const missing = [];
  for (const file of files) if (!(await store.match(file))) missing.push(file);
  await Promise.all(missing.map((file) => store.add(file).catch(() => undefined)));
  const response = await fetch(start, { cache: 'no-cache' });
  if (response.ok) await keep(store, frameOf(start.slice(scope.href.length)), response);
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

/** Where a telephone has no room left, nothing is kept, and what came is shown all the same. */
async function keep(store, name, response) {
  await store.put(name, response.clone()).catch(() => undefined);
}

/** What a proxy says, in a page of its own, while the server behind it is away. */
const AWAY = [502, 503, 504];

/** The page from the network, which keeps it, or else as it was last. */
async function frame(request, name) {
  const store = await caches.open(STORE);
  const before = await store.match(name);
  try {
    const response = await fetch(request);
    if (response.ok) {
      await keep(store, name, response);
      if (before) await forgetOld(store, name, before.clone(), response.clone());
    }
    return before && AWAY.includes(response.status) ? before : response;
  } catch (error) {
    // As a folder of files, the start is the score sheet, and its other pages are the same.
    const other = before ?? (name === './' ? undefined : await store.match('./'));
    if (other) return other;
    throw error;
  }
}

/** After an update, the files of the version before go. */
async function forgetOld(store, name, before, now) {
  if ((await before.text()) === (await now.text())) return;
  const folder = new URL(name === './' ? 'assets/' : 'sheet/assets/', scope).href;
  for (const request of await store.keys()) {
    if (request.url.startsWith(folder)) await store.delete(request);
  }
}

// A notification is touched: back to the table.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const target = new URL(event.notification.data?.path ?? '', scope).href;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const page = pages.find((each) => each.url === target) ?? pages[0];
    if (page) await page.focus();
    else await self.clients.openWindow(target);
  };
  event.waitUntil(open());
});
