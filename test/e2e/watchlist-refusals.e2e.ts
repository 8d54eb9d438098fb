import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { closeNotice } from './faults.ts';
import { test } from './fixtures.ts';
import { card, isSaved, memberWith, relist, search, showsRows } from './watchlist-card.ts';

/** Presses Apple in the search, where it waits to be added. */
async function addApple(page: Page): Promise<void> {
  await card(page).getByRole('button', { name: 'Add tickers' }).click();
  await search(page).fill('AAPL');
  await card(page).getByRole('option', { name: /^AAPL/ }).click();
}

const refused = [
  ['NOSUCHSYMBOL', 'UNKNOWN_SYMBOL', 'No stock, ETF, mutual fund or bond has this symbol.'],
  ['BTC-USD', 'UNSUPPORTED_ASSET', 'Crypto is not supported; stocks, ETFs, mutual funds and bonds are.'],
] as const;

test('what the service refuses', { tag: '@slow' }, async ({ page, service }) => {
  const person = await memberWith(page, service, ['MSFT']);
  for (const [symbol, code, words] of refused)
    await test.step(`what the service does not take (${code}) is said and leaves the list; trying again is not offered`, async () => {
      await relist(page, service, person, ['MSFT']);
      // The catalog has changed since the search: the page's symbol is one that the service refuses.
      await page.route('**/api/watchlist', (route) =>
        route.request().method() === 'POST'
          ? route.continue({ postData: JSON.stringify({ symbol }) })
          : route.fallback(),
      );
      const answered = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().endsWith('/api/watchlist'),
      );
      await addApple(page);
      assert.equal(((await (await answered).json()) as { code: string }).code, code);
      const notice = page.getByRole('status').getByText(`Apple was not added. ${words}`);
      await notice.waitFor();
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
      await showsRows(page, ['MSFT']);
      await isSaved(service, person, ['MSFT']);
    });
  await test.step('too many requests: the page says how long to wait, and the same press works then', async () => {
    await relist(page, service, person, ['MSFT']);
    let refused = 0;
    await page.route('**/api/watchlist', async (route) => {
      if (route.request().method() !== 'POST' || refused > 0) return route.fallback();
      refused += 1;
      await route.fulfill({
        status: 429,
        headers: { 'retry-after': '7' },
        json: { code: 'RATE_LIMITED', message: 'Too many requests; wait for the time in retry-after.' },
      });
    });
    await addApple(page);
    await page
      .getByRole('status')
      .getByText('Apple was not added. Too many requests in a short time. Try again in 7 seconds.')
      .waitFor();
    await showsRows(page, ['MSFT']);
    await page.getByRole('button', { name: 'Try again' }).click();
    await showsRows(page, ['MSFT', 'AAPL']);
    await isSaved(service, person, ['MSFT', 'AAPL']);
  });
  await test.step('a list that is asked for too often is not lost, and says how long to wait', async () => {
    await relist(page, service, person, ['MSFT']);
    let refusing = true;
    await page.route('**/api/watchlist/export.csv', (route) =>
      refusing
        ? route.fulfill({
            status: 429,
            headers: { 'retry-after': '1' },
            json: { code: 'RATE_LIMITED', message: 'Too many requests; wait for the time in retry-after.' },
          })
        : route.fallback(),
    );
    const press = async (): Promise<void> => {
      await card(page).getByRole('button', { name: 'More' }).click();
      await card(page).getByRole('button', { name: 'Export as CSV' }).click();
    };
    await press();
    await closeNotice(page, 'The list was not exported. Too many requests in a short time. Try again in 1 second.');
    refusing = false;
    const download = page.waitForEvent('download');
    await press();
    assert.match((await download).suggestedFilename(), /\.csv$/);
    await showsRows(page, ['MSFT']);
  });
});
