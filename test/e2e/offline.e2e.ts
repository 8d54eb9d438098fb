import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { eventually } from '../support/eventually.ts';
import { test } from './fixtures.ts';
import { openSampleDashboard } from './sample-member.ts';
import { getRows } from './watchlist-card.ts';

/** Errors of requests that fail without a network, and of a preload that began before the worker took over. */
const expected = [
  /Failed to load resource: net::ERR_INTERNET_DISCONNECTED/,
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

test('opens Home offline with the last figures and their age, and deletes them at sign-out', async ({
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
  await eventually(async () => (await listCachedReads(page)).includes('/api/home'));

  await page.context().setOffline(true);
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
