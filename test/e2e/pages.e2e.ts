import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { exampleCount, exampleRequest } from '../../src/features/site/ui/example-request.ts';
import { routePaths } from '../../src/ui/shell/route-paths.ts';
import { eventually } from '../support/eventually.ts';
import { shareMember, test } from './fixtures.ts';
import { openSettings, register, signUp } from './people.ts';

test('returns 200 for every page, and 404 with a page for an unknown address', async ({ service, visit }) => {
  for (const path of routePaths) {
    const response = await fetch(service.url + path, { headers: { accept: 'text/html' } });
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get('content-type') ?? '', /text\/html/);
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    if (path === '/') continue;
    const slashed = await fetch(`${service.url}${path}/?a=//b`, { redirect: 'manual' });
    assert.deepEqual([slashed.status, slashed.headers.get('location')], [308, `${path}?a=//b`]);
  }
  // The page of components is one of the development server alone.
  assert.equal((await fetch(`${service.url}/dev/ui`, { headers: { accept: 'text/html' } })).status, 404);
  const bundle = new URL('../../dist/web/', import.meta.url);
  for (const name of readdirSync(bundle, { recursive: true, encoding: 'utf8' }))
    if (/\.(js|css|html)$/.test(name))
      assert.doesNotMatch(readFileSync(new URL(name, bundle), 'utf8'), /gallery-/, name);
  const page = await visit();
  const response = await page.goto('/no/such/page');
  assert.equal(response?.status(), 404);
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
  assert.equal(await page.title(), 'Page not found · Tally');
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await page.getByRole('heading', { name: 'Your whole portfolio in one place' }).waitFor();
  await test.step('shows the service’s count on the developers’ page', async () => {
    await page.getByRole('contentinfo').getByRole('link', { name: 'Developers' }).click();
    const counted = await fetch(`${service.url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'svc-version': '2023-06-01',
        'x-api-key': service.firstRun.api_key,
      },
      body: JSON.stringify(exampleRequest),
    });
    assert.deepEqual(await counted.json(), { input_tokens: exampleCount });
    await page.getByRole('main').getByText(String(exampleCount), { exact: true }).waitFor();
    assert.deepEqual(JSON.parse(await page.getByLabel('The request').innerText()), exampleRequest);
  });
});

test('sets title and heading focus and scrolls to the top after a navigation', async ({ visit }) => {
  const page = await visit({ size: 'phone' });
  await signUp(page);
  await page.evaluate(() => scrollTo(0, 400));
  await openSettings(page);
  const heading = page.getByRole('heading', { name: 'Settings', level: 1 });
  await heading.waitFor();
  await page.waitForFunction(() => document.title === 'Settings · Tally');
  assert.equal(await heading.evaluate((element) => element === document.activeElement), true);
  assert.equal(await page.evaluate(() => scrollY), 0);
  const accountLink = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Account' });
  assert.equal(await accountLink.getAttribute('aria-current'), 'page');
  await page.goBack();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.waitForFunction(() => document.title === 'Home · Tally');
});

test('gives all settings pages one width, and one row of links on a phone', async ({ visit }) => {
  const page = await visit();
  await register(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/settings');
  const nav = page.getByRole('navigation', { name: 'Settings' });
  await nav.waitFor();
  const paths = await nav.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
  const widths: (number | undefined)[] = [];
  for (const path of paths) {
    await page.goto(path);
    widths.push((await nav.locator('xpath=following-sibling::div').boundingBox())?.width);
  }
  assert.deepEqual(new Set(widths), new Set([864]), paths.join());

  await page.setViewportSize({ width: 360, height: 800 });
  for (const path of paths) {
    await page.goto(path);
    await nav.waitFor();
    const tops = await nav
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 1, path);
    const { x, width } = (await nav.locator('[aria-current]').boundingBox())!;
    assert.ok(x >= 0 && x + width <= 360, path);
  }
});

test('stores the theme, applies it before the first paint and informs other tabs', async ({ visit }) => {
  const page = await visit({ theme: 'light' });
  await register(page);
  await page.goto('/settings');
  const other = await page.context().newPage();
  await other.goto('/settings');
  await other.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.getByRole('group', { name: 'Theme' }).getByText('Dark').first().click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'dark');
  await other.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      (window as unknown as { early?: string | undefined }).early = document.documentElement.dataset['theme'];
    });
  });
  await page.reload();
  assert.equal(await page.evaluate(() => (window as unknown as { early?: string }).early), 'dark');
  const [background, scheme] = await page.evaluate(() => {
    const style = getComputedStyle(document.documentElement);
    return [style.backgroundColor, style.colorScheme];
  });
  assert.equal(scheme, 'dark');
  assert.equal(background, 'rgb(14, 19, 22)');
});

const codeTest = shareMember((page) => signUp(page), {
  expected: [/ERR_FAILED/, /Failed to fetch/, /dynamically imported module/],
});
const CODE = /\/assets\/settings-[\w-]{8}\.js$/;
const waitForSettings = (page: Page) => page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
const markPage = (page: Page) => page.evaluate(() => Object.assign(window, { samePage: true }));
const isMarked = (page: Page) => page.evaluate(() => 'samePage' in window);

/** Fails the first request for the code while `act` runs. Ends after a second request has loaded the code. */
async function failFirstRequest(page: Page, act: () => Promise<unknown>): Promise<void> {
  let requestCount = 0;
  await page.route(CODE, (route) => {
    requestCount += 1;
    return requestCount === 1 ? route.abort() : route.continue();
  });
  await act();
  await eventually(() => requestCount > 1);
  await waitForSettings(page);
  await page.unroute(CODE);
}

codeTest('fetches code again silently on the same page when the first request failed', async ({ page }) => {
  await page.goto('/dashboard');
  await markPage(page);
  await failFirstRequest(page, () => openSettings(page));
  assert.equal(await isMarked(page), true, 'the page was not reloaded');
});

codeTest('loads the page again silently when a preloaded file failed', async ({ page }) => {
  // The page may reload before its first load has ended.
  await failFirstRequest(page, () => page.goto('/settings', { waitUntil: 'commit' }));
});

codeTest('offers a way on and keeps the frame working when code cannot be fetched', async ({ page }) => {
  await page.goto('/no/such/page');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.route(CODE, (route) => route.abort());
  await openSettings(page);
  await page.getByRole('heading', { name: 'Something went wrong', level: 1 }).waitFor();
  await markPage(page);
  await page.unroute(CODE);
  await page.getByRole('button', { name: 'Reload' }).click();
  await waitForSettings(page);
  assert.equal(await isMarked(page), true, 'the page was not reloaded');
});
