import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { test } from './fixtures.ts';
import { signUp } from './people.ts';
import { openSampleDashboard } from './sample-member.ts';
import { getRows } from './watchlist-card.ts';

/** Errors of requests that fail without a network, and of a preload that began before the worker took over. */
const expected = [
  /Failed to load resource: net::ERR_(INTERNET_DISCONNECTED|FAILED)/,
  /Failed to fetch/,
  /service-worker/i,
  /A preload for '[^']+' is found, but is not used/,
];

/** Returns the paths of the answers that the browser keeps of a member. */
const listCachedReads = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    return paths.filter((path) => path.startsWith('/api/'));
  });

/** Waits until the worker is in charge of the page and keeps the start pages. */
const waitForWorker = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
  });

/** Returns a token of the member that the browser is signed in as. */
async function createToken(page: Page): Promise<string> {
  const { request } = page.context();
  const client = (await (await request.get('/_idp/v1/client')).json()) as {
    response: { last_active_session_id: string };
  };
  const origin = new URL(page.url()).origin;
  const path = `/_idp/v1/client/sessions/${client.response.last_active_session_id}/tokens`;
  const created = await request.post(path, { headers: { origin } });
  return ((await created.json()) as { jwt: string }).jwt;
}

/** Reads a path in the page, through the worker, and returns the body, or null if nothing answered. */
const readInPage = (
  page: Page,
  path: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<string | null> =>
  page.evaluate(
    ([readPath, readHeaders]) =>
      fetch(readPath, { headers: readHeaders }).then(
        (response) => response.text(),
        () => null,
      ),
    [path, { authorization: `Bearer ${token}`, ...headers }] as const,
  );

/** Replaces the cached responses of some paths: their body, or their time. */
const changeCachedReads = (page: Page, change: { path: string; body?: string; minutesOld?: number }): Promise<number> =>
  page.evaluate(async ({ path, body, minutesOld }) => {
    const reads = await caches.open('tally-reads');
    const keys = (await reads.keys()).filter(({ url }) => new URL(url).pathname.startsWith(path));
    for (const key of keys) {
      const response = (await reads.match(key))!;
      const headers = new Headers(response.headers);
      if (minutesOld !== undefined) headers.set('date', new Date(Date.now() - minutesOld * 60_000).toUTCString());
      await reads.put(key, new Response(body ?? (await response.blob()), { headers }));
    }
    return keys.length;
  }, change);

test('shows the age of the oldest figure when it opens offline', async ({ visit, service }) => {
  const page = await visit({ allowsWorker: true, expected });
  await openSampleDashboard(page, service, 'pro');
  await waitForWorker(page);
  await page.reload();
  await getRows(page).first().waitFor();
  await eventually(async () => (await listCachedReads(page)).includes('/api/net-worth'));
  assert.equal(await changeCachedReads(page, { path: '/api/net-worth', minutesOld: 47 }), 1);

  await page.context().setOffline(true);
  await page.goto('/dashboard');
  await page.getByText(/^You are offline\. Data as of .*, 47 min old\. Nothing can be changed\.$/).waitFor();
});

test('answers from the network while online, caches no response of the demo tour, and no other path', async ({
  visit,
}) => {
  const page = await visit({ allowsWorker: true, expected });
  await signUp(page);
  await waitForWorker(page);
  const token = await createToken(page);
  const hasRead = async (path: string) => (await readCachedOwner(page, path)) !== null;
  // No page sends this read.
  const tourRead = '/api/net-worth?days=30';

  await readInPage(page, tourRead, token, { 'x-demo-tour': '1' });
  await readInPage(page, '/api/me', token);
  // A read after them is cached, so the worker was in charge.
  const accounts = await readInPage(page, '/api/accounts', token);
  await eventually(() => hasRead('/api/accounts'));
  assert.deepEqual([await hasRead(tourRead), await hasRead('/api/me')], [false, false]);

  assert.equal(await changeCachedReads(page, { path: '/api/accounts', body: 'cached' }), 1);
  assert.equal(await readInPage(page, '/api/accounts', token), accounts);
  // The worker stores a response after the page has it.
  await eventually(async () => (await readCachedText(page, '/api/accounts')) === accounts);
  await changeCachedReads(page, { path: '/api/accounts', body: 'cached' });
  await page.context().setOffline(true);
  // The worker learns a moment later that it is offline.
  await eventually(async () => (await readInPage(page, '/api/accounts', token)) === 'cached');
  assert.equal(await readInPage(page, tourRead, token), null);
});

test("caches no response of a member that arrives after another one's sign-in, and shows them none", async ({
  visit,
}) => {
  const page = await visit({ allowsWorker: true, expected });
  await signUp(page);
  await waitForWorker(page);
  const tokenOfAda = await createToken(page);
  await readInPage(page, '/api/accounts', tokenOfAda);
  await eventually(async () => (await listCachedReads(page)).includes('/api/accounts'));

  // Another tab signs Bob in, while one of Ada's has a token for a minute.
  await page.context().clearCookies();
  await signUp(page);
  const tokenOfBob = await createToken(page);
  await eventually(async () => (await readOwner(page)) !== null && (await readOwner(page)) !== getSubject(tokenOfAda));
  const isBobs = async (path: string) => (await readCachedOwner(page, path)) === getSubject(tokenOfBob);
  // No page sends this read.
  const read = '/api/net-worth?days=30';
  const netWorth = await readInPage(page, read, tokenOfAda);
  assert.ok(netWorth !== null && JSON.parse(netWorth).currencies !== undefined, 'Ada’s token is still valid');
  await readInPage(page, '/api/accounts', tokenOfBob);
  await eventually(() => isBobs('/api/accounts'));
  assert.equal(await readCachedOwner(page, read), null, 'a response of Ada');

  await page.context().setOffline(true);
  assert.notEqual(await readInPage(page, '/api/accounts', tokenOfBob), null);
  assert.equal(await readInPage(page, '/api/accounts', tokenOfAda), null, 'a response of Bob for Ada');
});

test('ends no navigation when the network returns to a page that was opened offline', async ({ visit, service }) => {
  const page = await visit({ allowsWorker: true, expected });
  await openSampleDashboard(page, service, 'pro');
  await waitForWorker(page);
  await page.context().setOffline(true);
  await page.goto('/portfolio');
  await page.getByText(/^You are offline/).waitFor();
  // Longer than the page waits before it reloads.
  await page.route('**/plans', async (route) => {
    await sleep(2_000);
    await route.continue();
  });
  await page.evaluate(() => addEventListener('online', () => location.assign('/plans')));
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor();
});

/** Returns the member to whom the cache belongs, or null. */
const readOwner = (page: Page): Promise<string | null> =>
  page.evaluate(async () => (await (await caches.open('tally-reads')).match('/cached-member'))?.text() ?? null);

/** Returns the member whose response is cached for a path, or null. */
const readCachedOwner = (page: Page, path: string): Promise<string | null> =>
  page.evaluate(
    async (cachedPath) =>
      (await (await caches.open('tally-reads')).match(cachedPath))?.headers.get('x-cached-member') ?? null,
    path,
  );

const readCachedText = (page: Page, path: string): Promise<string | undefined> =>
  page.evaluate(async (cachedPath) => (await (await caches.open('tally-reads')).match(cachedPath))?.text(), path);

const getSubject = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sub: string }).sub;

test('opens Home and Portfolio offline with the figures that Home read, and deletes them at sign-out', async ({
  visit,
  service,
}) => {
  const page = await visit({ allowsWorker: true, expected });
  await openSampleDashboard(page, service, 'pro');
  await waitForWorker(page);
  await page.reload();
  await getRows(page).first().waitFor();
  const netWorth = page.getByRole('region', { name: 'Net worth' }).getByRole('button', { name: /^Net worth: / });
  const figure = await netWorth.innerText();
  await eventually(async () => (await listCachedReads(page)).includes('/api/portfolio/holdings'));

  await page.context().setOffline(true);
  await page.goto('/portfolio');
  await page.getByRole('table').getByRole('row').nth(1).waitFor();
  await page.goto('/dashboard');
  await page.getByText(/^You are offline\. Data as of .*, \d+ min old\. Nothing can be changed\.$/).waitFor();
  assert.equal(await netWorth.innerText(), figure);
  await getRows(page).first().waitFor();

  await page.context().setOffline(false);
  await page.getByText(/^You are offline/).waitFor({ state: 'detached' });
  await netWorth.waitFor();
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await eventually(async () => (await listCachedReads(page)).length === 0);
  assert.equal(await page.evaluate(() => localStorage.getItem('tally.cached-member')), null);

  await page.context().setOffline(true);
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Tally cannot be reached' }).waitFor();
  await page.getByText('You are offline.', { exact: true }).waitFor();
});

test('opens Home offline after one visit', async ({ visit, service }) => {
  const page = await visit({ allowsWorker: true, expected });
  await openSampleDashboard(page, service, 'pro');
  await waitForWorker(page);
  await eventually(async () => (await listCachedReads(page)).includes('/api/portfolio/holdings'));

  await page.context().setOffline(true);
  await page.reload();
  await page.getByText(/^You are offline\. Data as of .*, \d+ min old\. Nothing can be changed\.$/).waitFor();
  await page
    .getByRole('region', { name: 'Net worth' })
    .getByRole('button', { name: /^Net worth: / })
    .waitFor();
  await getRows(page).first().waitFor();
  assert.deepEqual(await page.getByRole('alert').allInnerTexts(), []);
});

test('names no time of figures when it opens offline with none', async ({ visit, service }) => {
  const page = await visit({ allowsWorker: true, expected });
  await openSampleDashboard(page, service, 'pro');
  await waitForWorker(page);
  await eventually(async () => (await listCachedReads(page)).includes('/api/portfolio/holdings'));
  // Deleted offline, since a late response would be cached again.
  await page.context().setOffline(true);
  await page.evaluate(async () => {
    const reads = await caches.open('tally-reads');
    for (const key of await reads.keys()) if (new URL(key.url).pathname.startsWith('/api/')) await reads.delete(key);
  });

  await page.reload();
  await page.getByText('Tally cannot be reached').first().waitFor();
  await page.getByText('You are offline.', { exact: true }).waitFor();
});

test('describes an app that can be installed', async ({ service }) => {
  const manifest = (await (await fetch(`${service.url}/site.webmanifest`)).json()) as {
    icons: { src: string; purpose?: string }[];
    shortcuts: { name: string; url: string }[];
  };
  assert.ok(manifest.icons.some(({ purpose }) => purpose === 'maskable'));
  for (const { src } of manifest.icons) assert.equal((await fetch(service.url + src)).status, 200, src);
  assert.deepEqual(
    manifest.shortcuts.map(({ name }) => name),
    ['Home', 'Watchlist', 'Add investment'],
  );
  for (const { url } of manifest.shortcuts) assert.equal((await fetch(service.url + url)).status, 200, url);
});
