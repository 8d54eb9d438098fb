// Opens the start pages offline, with the responses that they read last. Pages and reads are network first, hashed files
// cache first.

const FILES = 'tally-files';
/** Cache of one member's responses. The page writes whose it is at OWNER, and deletes the cache at sign-out. */
const READS = 'tally-reads';
const OWNER = '/cached-member';
/** Header of a cached response with the member that asked for it. */
const OWNER_HEADER = 'x-cached-member';
const START_PAGES = ['/dashboard', '/portfolio', '/watchlist'];
/** Reads that the start pages show. Others are not cached. */
const CACHED_READS =
  /^\/api\/(home|dashboard|net-worth|accounts|portfolio\/holdings(\/past-prices)?|investments\/positions|watchlist|watchlist\/earnings|earnings|news|dividends|connections)$/;
const HOME = '/api/home';
/**
 * Read of each part of Home's response. A part is cached as the response of its read, so that every page shows the
 * figures that any page has read last. Offline, Home sends these reads.
 */
const HOME_PARTS = {
  layout: '/api/dashboard',
  net_worth: '/api/net-worth?days=366',
  accounts: '/api/accounts',
  holdings: '/api/portfolio/holdings',
  connections: '/api/connections',
  earnings: '/api/earnings',
  dividends: '/api/dividends',
  news: '/api/news?limit=20',
  watchlist: '/api/watchlist',
  watched_earnings: '/api/watchlist/earnings',
};
/** Number of cached files. A release has about a hundred. */
const MAX_FILES = 300;

self.addEventListener('install', (event) => {
  void self.skipWaiting();
  event.waitUntil(cacheStartPages());
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

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

/** Network first. Offline, returns the member's last response; its age is in the header `date`. */
async function respondWithRead(event) {
  const { request } = event;
  try {
    const response = await fetch(request);
    if (response.ok) event.waitUntil(cacheRead(request, response.clone()));
    return response;
  } catch (error) {
    // A page that is online shows the error and repeats the read.
    if (navigator.onLine) throw error;
    const cached = await findRead(request);
    if (cached) return cached;
    throw error;
  }
}

/** Caches a response for the owner of the cache. Another member's may still arrive after a sign-in. */
async function cacheRead(request, response) {
  const bodies = splitHome(new URL(request.url), await response.text());
  const reads = await caches.open(READS);
  const owner = await readOwner(reads);
  if (owner === undefined || owner !== getMember(request)) return;
  const headers = new Headers(response.headers);
  headers.set(OWNER_HEADER, owner);
  for (const [url, body] of bodies) await reads.put(url, new Response(body, { status: response.status, headers }));
}

/** Returns the reads of a response with their bodies: those of its parts for Home, itself for another. */
function splitHome({ pathname, search }, body) {
  if (pathname !== HOME) return [[pathname + search, body]];
  const home = JSON.parse(body);
  return Object.entries(HOME_PARTS)
    .filter(([part]) => home[part] !== undefined)
    .map(([part, url]) => [url, JSON.stringify(home[part])]);
}

/** Returns the cached response, if it and the request are of the owner. A page that opens offline has no token. */
async function findRead(request) {
  const reads = await caches.open(READS);
  const owner = await readOwner(reads);
  const cached = await reads.match(request.url);
  const isOwned = owner !== undefined && cached?.headers.get(OWNER_HEADER) === owner;
  return isOwned && (getMember(request) ?? owner) === owner ? cached : undefined;
}

const readOwner = async (reads) => (await reads.match(OWNER))?.text();

/** Returns the member that a request's token names, or undefined without one. The service has checked the token. */
function getMember({ headers }) {
  const [, payload] = /^Bearer [\w-]+\.([\w-]+)\./.exec(headers.get('authorization') ?? '') ?? [];
  if (payload === undefined) return undefined;
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).sub;
}
