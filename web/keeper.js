// The service worker of a folder on a web host (`make alone`, docs/alone.md). Its first line says
// what the folder holds: `self.FOLDER = {...}`. It keeps the folder whole, one version at a time,
// so that a page never meets files of another version.

import './notified.js';

const { version, files, packed } = self.FOLDER;
const scope = new URL(self.registration.scope);
/** The prefix of the stores of this folder; others may have theirs on the same host. */
const MINE = `rage-alone ${scope.pathname} `;
const STORE = MINE + version;
/** The names of these files change with what is in them. */
const HASHED = /^(sheet\/)?(assets|python)\//;
/** Types that browsers insist on, and some hosts do not know. */
const TYPES = { mjs: 'text/javascript', wasm: 'application/wasm' };

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));

/** On a first visit, keep only the start: the page loads the rest through this worker. A later
 * version is loaded whole, next to the one in use. */
async function install() {
  const before = await storesBefore();
  if (before.length) return keepAll(before);
  await (
    await kept('./')
  ).put;
  await self.skipWaiting();
}

async function activate() {
  for (const name of await storesBefore()) await caches.delete(name);
  await self.clients.claim();
}

async function storesBefore() {
  return (await caches.keys()).filter((name) => name.startsWith(MINE) && name !== STORE);
}

// A page that has just opened asks the waiting version to take over, but not while another page is
// open, perhaps in the middle of a game.
self.addEventListener('message', (event) => {
  if (event.data !== 'take over') return;
  const takeOver = async () => {
    const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    if (open.filter(({ url }) => url.startsWith(scope.href)).length < 2) await self.skipWaiting();
  };
  event.waitUntil(takeOver());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(scope.href)) return;
  const name = request.url.slice(scope.href.length).replace(/[?#].*/, '');
  if (request.mode === 'navigate') event.respondWith(start(event, name));
  else if (files.includes(name)) {
    const found = kept(name);
    event.respondWith(found.then(({ response }) => response));
    const put = found.then(({ put }) => put);
    event.waitUntil(put.then(() => keepRest(name)).catch(() => undefined));
  }
});

/** The page of the sheet, or of tables for any address, because most have no file. */
async function start(event, path) {
  if (/^(sheet|judge\/?)$/.test(path)) {
    return Response.redirect(`${scope.href}sheet/${path.startsWith('judge') ? 'judge.html' : ''}`);
  }
  const name = files.includes(path) ? path : './';
  const store = await caches.open(STORE);
  let response;
  if ((await store.keys()).length < files.length) {
    // Files of this version that are missing may be gone from the host, too.
    event.waitUntil(keepAll().catch(() => undefined));
    response = await load(name).catch(() => undefined);
  }
  response ??= (await kept(name)).response;
  const written = await response.text();
  return new Response(written.replace('<base href="./"', `<base href="${scope.pathname}"`), {
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}

/** Keep the files that are not needed yet, once Python is here. */
async function keepRest(name) {
  if (!packed.includes(name)) return;
  const store = await caches.open(STORE);
  const found = await Promise.all(packed.map((each) => store.match(each)));
  if (found.every(Boolean)) await keepAll();
}

/** Keep all missing files, taking unchanged ones from the stores `before`. */
async function keepAll(before = []) {
  const store = await caches.open(STORE);
  const keep = async (name) => {
    if (await store.match(name)) return;
    for (const each of HASHED.test(name) ? before : []) {
      const same = await (await caches.open(each)).match(name);
      if (same) return store.put(name, same);
    }
    await store.put(name, await load(name));
  };
  await Promise.all(files.map(keep));
}

/** A file from the store, or from the host; then `put` resolves once it is in the store. */
async function kept(name) {
  const store = await caches.open(STORE);
  const found = await store.match(name);
  if (found) return { response: found };
  const response = await load(name);
  // If the device has no room left, nothing is kept, and the response is shown all the same.
  return { put: store.put(name, response.clone()).catch(() => undefined), response };
}

/** Whether a host has answered with a file. Some send a page for a missing one, which would stay in
 * the store. */
function isFile(response, name) {
  const type = response.headers.get('Content-Type') ?? '';
  return response.ok && (/(\/|\.html)$/.test(name) || !type.startsWith('text/html'));
}

/** A file from the host, from our compressed form if the host compresses none of its kind. */
async function load(name) {
  const hashed = HASHED.test(name);
  let response = await fetch(name, { cache: hashed ? 'default' : 'no-cache' });
  // The browser may have cached a page sent in its place: some hosts ask for that under such names.
  if (hashed && !isFile(response, name)) response = await fetch(name, { cache: 'reload' });
  if (!isFile(response, name)) throw new Error(`${response.status} ${name}`);
  let body = response.body;
  const whole = response.headers.has('Content-Encoding') || !self.DecompressionStream;
  if (!whole && packed.includes(name)) {
    const smaller = await fetch(`${name}.gz`);
    if (isFile(smaller, name)) {
      void body.cancel();
      const plain = smaller.headers.has('Content-Encoding');
      body = plain ? smaller.body : smaller.body.pipeThrough(new DecompressionStream('gzip'));
    }
  }
  const type = TYPES[name.split('.').at(-1)] ?? response.headers.get('Content-Type');
  return new Response(body, { headers: { 'Content-Type': type } });
}
