import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { shareMember } from './fixtures.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  replaceWatchlist,
  getSearchField,
  waitForRows,
} from './watchlist-card.ts';

const test = shareMember((page, service) => createMemberWith(page, service, ['MSFT']));

/** Selects Apple in the search to add it. */
async function addApple(page: Page): Promise<void> {
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getSearchField(page).fill('AAPL');
  await getCard(page).getByRole('option', { name: /^AAPL/ }).click();
}

const rejections = [
  ['NOSUCHSYMBOL', 'UNKNOWN_SYMBOL', 'No stock, ETF, mutual fund or bond has this symbol.'],
  ['BTC-USD', 'UNSUPPORTED_ASSET', 'Crypto is not supported; stocks, ETFs, mutual funds and bonds are.'],
] as const;

for (const [symbol, code, message] of rejections)
  test(
    `explains a rejection (${code}), removes the row and offers no retry`,
    { tag: '@slow' },
    async ({ page, service, member }) => {
      await replaceWatchlist(page, service, member, ['MSFT']);
      // The catalog has changed since the search, so the service rejects the page's symbol.
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
      const notice = page.getByRole('status').getByText(`Could not add Apple. ${message}`);
      await notice.waitFor();
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
      await waitForRows(page, ['MSFT']);
      await waitForSavedOrder(service, member, ['MSFT']);
    },
  );

test('accepts the next press after too many requests', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT']);
  let rejectedCount = 0;
  await page.route('**/api/watchlist', async (route) => {
    if (route.request().method() !== 'POST' || rejectedCount > 0) return route.fallback();
    rejectedCount += 1;
    await route.fulfill({
      status: 429,
      headers: { 'retry-after': '7' },
      json: { code: 'RATE_LIMITED', message: 'Too many requests; wait for the time in retry-after.' },
    });
  });
  await addApple(page);
  await page
    .getByRole('status')
    .getByText('Could not add Apple. Too many requests in a short time. Try again in 7 seconds.')
    .waitFor();
  await waitForRows(page, ['MSFT']);
  await page.getByRole('button', { name: 'Try again' }).click();
  await waitForRows(page, ['MSFT', 'AAPL']);
  await waitForSavedOrder(service, member, ['MSFT', 'AAPL']);
});
