import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { assertAccessible, forEachVariant, a11yScenarios } from '../support/browser.ts';
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

for (const scenario of a11yScenarios)
  test(`shows a readable API page from ${scenario.theme}, ${scenario.size}`, { tag: '@slow' }, async ({ visit }) => {
    const page = await visit(scenario);
    const requestedPaths: string[] = [];
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
    await page.goto('/docs');
    await page.getByRole('heading', { name: /^Tally API/, level: 1 }).waitFor();
    assert.deepEqual(
      requestedPaths.filter((path) => path !== '/favicon.svg'),
      ['/docs'],
      'one document, and nothing from elsewhere',
    );
    await test.step('leads by keyboard past the contents to an operation, example and schema', () =>
      readByKeyboard(page));
    await test.step('shows no error and no sideways scroll in each variant', async () => {
      // A phone shows the whole page, since more can go wrong there.
      const variants = scenario.variants.toReversed();
      await forEachVariant(page, { ...scenario, variants }, async (variantName, variant) => {
        const getBackground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(getBackground, variant.theme === 'dark' ? 'rgb(14, 19, 22)' : 'rgb(246, 245, 241)');
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} pixels overflow the page`);
        if (variant !== variants[0]) await keepOneOfEachKind(page);
        await assertAccessible(page, `/docs (${variantName})`);
      });
    });
  });

async function readByKeyboard(page: Page): Promise<void> {
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');

  await page.getByRole('link', { name: 'Add a ticker', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash === '#addToWatchlist');
  const operation = page.getByRole('article', { name: 'Add a ticker' });
  await operation.getByText('POST').waitFor();
  await operation.getByText('Parameters and responses').click();
  const example = operation.locator('details details').first();
  await example.locator('summary').focus();
  await page.keyboard.press('Enter');
  await example.getByText('"symbol": "AAPL"').waitFor();
  await operation.getByRole('link', { name: 'AddToWatchlistRequest' }).first().focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash === '#schema-AddToWatchlistRequest');
}

/**
 * Removes each operation and schema whose kinds of elements all occur earlier. axe-core takes three seconds for the
 * whole page, and styles depend on the kind of an element.
 */
const keepOneOfEachKind = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seenKinds = new Set<string>();
    for (const article of document.querySelectorAll('article')) {
      const kinds = [...article.querySelectorAll('*')].map(
        ({ parentElement, tagName, className }) => `${parentElement?.tagName} ${tagName} ${className}`,
      );
      if (kinds.every((kind) => seenKinds.has(kind))) article.remove();
      for (const kind of kinds) seenKinds.add(kind);
    }
  });
