import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { assertAccessible, themes } from '../support/browser.ts';
import { test } from './fixtures.ts';

test('serves the committed OpenAPI document, and 304 to a client that has it', async ({ service }) => {
  const address = `${service.url}/openapi.json`;
  const response = await fetch(address);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(response.headers.get('cache-control') ?? '', /max-age/);
  const committed = readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8');
  assert.deepEqual(await response.json(), JSON.parse(committed));
  const regenerated = await fetch(address, { headers: { 'if-none-match': response.headers.get('etag')! } });
  assert.equal(regenerated.status, 304);
});

/** Opens the reference and waits for the operation that it opens on. */
async function openReference(page: Page): Promise<void> {
  await page.goto('/docs');
  await page.getByRole('heading', { name: 'Count tokens' }).first().waitFor();
}

/** Returns the paths of the scripts that a page has fetched. */
const listScripts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js')),
  );

// Every page of a test must have had no policy violation and no request to another host (fixtures.ts).

test('opens on counting with scripts of its own', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const appScripts = await listScripts(page);

  await openReference(page);

  assert.match(page.url(), /#.*count_tokens$/);
  await page.getByRole('heading', { name: 'Count tokens' }).first().isVisible();
  const scripts = await listScripts(page);
  assert.ok(scripts.length > 0 && appScripts.length > 0);
  assert.deepEqual(
    scripts.filter((path) => appScripts.includes(path)),
    [],
    'nothing of the app',
  );
});

test('counts with a typed key, which only this tab keeps', async ({ page, service }) => {
  const key = service.firstRun.api_key;
  await openReference(page);
  await page
    .getByRole('button', { name: /^Test Request/ })
    .first()
    .click();
  const client = page.getByRole('dialog');
  const keyField = client.getByLabel('Value', { exact: true }).first();
  assert.equal(await keyField.getAttribute('placeholder'), 'Your key');
  await keyField.fill(key);

  await client.getByRole('button', { name: /^Send/ }).first().click();

  await client.getByText('200 OK').first().waitFor();
  await client.getByText('input_tokens').first().waitFor();
  const stored = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases]);
  });
  assert.ok(!stored.includes(key) && stored.endsWith('[]]'), stored);
  await page.reload();
  await page.getByRole('heading', { name: 'Count tokens' }).first().waitFor();
  assert.ok(!(await page.content()).includes(key), 'a reload forgets the key');
});

test('shows an example in JavaScript that counts as written', async ({ page, service }) => {
  await openReference(page);
  const example = page.locator('.scalar-card', { hasText: 'Test Request' }).first();
  await example.getByRole('button', { name: /Shell Curl/ }).click();
  await page.getByRole('option', { name: /Fetch/ }).first().click();
  await example.getByText('fetch(').waitFor();
  const code = (await example.locator('code').first().innerText()).replace(
    'YOUR_SECRET_TOKEN',
    service.firstRun.api_key,
  );

  const program = code.includes('console.log') ? code : `${code}.then((response) => response.text()).then(console.log)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);

  assert.match(stdout, /input_tokens/);
});

test('finds an operation by its name', async ({ page }) => {
  await openReference(page);
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page
    .getByRole('dialog')
    .getByRole('combobox')
    .or(page.getByRole('dialog').getByRole('textbox'))
    .first()
    .fill('add a ticker');

  await page
    .getByRole('option', { name: /Add a ticker/ })
    .first()
    .click();

  await page.waitForFunction(() => location.hash.endsWith('/api/watchlist'));
});

test('leads by keyboard from the header to the content', async ({ page }) => {
  await openReference(page);
  // The page opens on an operation, so the first Tab is in the content.
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'reference');
});

for (const theme of themes)
  test(`fits every width in the ${theme} theme`, async ({ visit }) => {
    const page = await visit({ theme });
    await openReference(page);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(background, theme === 'dark' ? 'rgb(14, 19, 22)' : 'rgb(246, 245, 241)');
    for (const width of [320, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels overflow the page of ${width}`);
      await assertAccessible(page, `/docs (${theme}, ${width})`, page.getByRole('navigation', { name: 'Site' }));
    }
  });
