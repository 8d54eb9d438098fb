// Opens the start pages offline, with the responses that they read last. Pages and reads are network first, hashed files
// cache first.

const FILES = 'tally-files';
const READS = 'tally-reads';
const START_PAGES = ['/dashboard', '/portfolio', '/watchlist'];
/** Reads that the start pages show. Others are not cached. */
const CACHED_READS =
  /^\/api\/(home|dashboard|net-worth|accounts|portfolio\/holdings|investments\/positions|watchlist|earnings|news|dividends|connections)$/;
/** Number of cached files. A release has about a hundred. */
const MAX_FILES = 300;

/** Counts the sign-outs of this worker, so that a response from before one is not cached after it. */
let signOuts = 0;

self.addEventListener('install', (event) => {
  void self.skipWaiting();
  event.waitUntil(cacheStartPages());
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  if (event.data !== 'clear-member') return;
  signOuts += 1;
  event.waitUntil(caches.delete(READS));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(respondWithFile(request));
  else if (request.mode === 'navigate' && START_PAGES.includes(pathname))
    event.respondWith(respondWithPage(event, pathname));
  else if (CACHED_READS.test(pathname) && !request.headers.has('x-demo-tour'))
    event.respondWith(respondWithRead(event));
});

/** Caches the start pages with the files that they name. The first visit has loaded them without this worker. */
async function cacheStartPages() {
  const files = await caches.open(FILES);
  for (const page of START_PAGES) {
    const response = await fetch(page);
    if (!response.ok) continue;
    const text = await response.clone().text();
    await files.put(page, response);
    const named = new Set(text.match(/\/assets\/[\w.-]+/g));
    for (const file of named) if (!(await files.match(file))) await files.add(file);
  }
}

/** Cache first: a hashed file never changes. */
async function respondWithFile(request) {
  const files = await caches.open(FILES);
  const cached = await files.match(request.url);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) {
    await files.put(request.url, response.clone());
    const keys = await files.keys();
    const oldest = keys.filter(({ url }) => url.includes('/assets/')).slice(0, Math.max(0, keys.length - MAX_FILES));
    for (const key of oldest) await files.delete(key);
  }
  return response;
}

/** Network first, so that an update shows at once. Offline, returns the cached page. */
async function respondWithPage(event, page) {
  const files = await caches.open(FILES);
  try {
    const response = await fetch(event.request);
    if (response.ok) event.waitUntil(files.put(page, response.clone()));
    return response;
  } catch (error) {
    const cached = await files.match(page);
    if (cached) return cached;
    throw error;
  }
}

/** Network first. Offline, returns the last response; its age is in the header `date`. */
async function respondWithRead(event) {
  const { request } = event;
  const signOutsBefore = signOuts;
  try {
    const response = await fetch(request);
    if (response.ok) event.waitUntil(cacheRead(request.url, response.clone(), signOutsBefore));
    return response;
  } catch (error) {
    // A page that is online shows the error and repeats the read.
    if (navigator.onLine) throw error;
    const reads = await caches.open(READS);
    const cached = await reads.match(request.url);
    if (cached) return cached;
    throw error;
  }
}

async function cacheRead(url, response, signOutsBefore) {
  const body = await response.blob();
  if (signOuts !== signOutsBefore) return;
  const reads = await caches.open(READS);
  await reads.put(url, new Response(body, { status: response.status, headers: response.headers }));
  // A sign-out may have come while the response was stored.
  if (signOuts !== signOutsBefore) await caches.delete(READS);
}
