import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { getCard, createMemberWith, getRows, getSearchField, waitForRows } from './watchlist-card.ts';

// The parts of the card load their code when they first open. These tests let that code fail.
const TWO = ['AAPL', 'KO'];
const expected = [/net::ERR/, /answer(ed)? 503/, /status of 503/, /Failed to fetch/];
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

const parts = [
  {
    part: 'ticker-search',
    words: 'The search did not load.',
    open: (page: Page) => getCard(page).getByRole('button', { name: 'Add tickers' }).click(),
    shown: getSearchField,
    close: (page: Page) => getCard(page).getByRole('button', { name: 'Done' }).click(),
  },
  {
    part: 'edit-watchlist',
    words: 'The editor did not load.',
    open: (page: Page) => getCard(page).getByRole('button', { name: 'Edit watchlist' }).click(),
    shown: (page: Page) => dialog(page, 'Edit watchlist'),
    close: (page: Page) => dialog(page, 'Edit watchlist').getByRole('button', { name: 'Done' }).click(),
  },
  {
    part: 'import-list',
    words: 'The import did not load.',
    async open(page: Page) {
      await getCard(page).getByRole('button', { name: 'More' }).click();
      await getCard(page).getByRole('button', { name: 'Import tickers' }).click();
    },
    shown: (page: Page) => dialog(page, 'Import tickers'),
    close: (page: Page) => page.keyboard.press('Escape'),
  },
] as const;

test('recovers when the code of a part fails to load', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ expected });
  await createMemberWith(page, service, TWO);
  await page.evaluate(() => Object.assign(window, { samePage: true }));
  // The requests fail from the start, so that no part is prefetched while the pointer rests.
  const getChunkUrl = (part: string): RegExp => new RegExp(`/assets/${part}-`);
  for (const { part } of parts) await page.route(getChunkUrl(part), (route) => route.abort());
  for (const { part, words: message, open, shown, close } of parts)
    await test.step(`shows an error for ${part} in place and loads it on retry without a new page`, async () => {
      const address = getChunkUrl(part);
      await open(page);
      const errorMessage = getCard(page).getByRole('alert');
      await errorMessage.getByText(message).waitFor();
      await waitForRows(page, TWO);
      await page.unroute(address);
      // A response without the file can be retried as well.
      await page.route(address, (route) => route.fulfill({ status: 503, body: '' }));
      const chunkResponse = page.waitForResponse((response) => address.test(response.url()));
      await errorMessage.getByRole('button', { name: 'Try again' }).click();
      await chunkResponse;
      await errorMessage.getByText(message).waitFor();
      await page.unroute(address);
      await errorMessage.getByRole('button', { name: 'Try again' }).click();
      await shown(page).waitFor();
      await errorMessage.waitFor({ state: 'detached' });
      await close(page);
      await shown(page).waitFor({ state: 'detached' });
      assert.equal(await page.evaluate(() => 'samePage' in window), true, 'the page was not reloaded');
    });
});

test('waits for the connection when a part first opens offline', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ expected });
  await createMemberWith(page, service, TWO);
  await page.context().setOffline(true);
  const errorMessage = getCard(page).getByRole('alert');
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await errorMessage.getByText('The editor did not load.').waitFor();
  await errorMessage.getByRole('button', { name: 'Close' }).click();
  await errorMessage.waitFor({ state: 'detached' });
  await getRows(page).first().click();
  const panelError = page.getByRole('alert').filter({ hasText: 'The security did not load.' });
  await panelError.getByRole('button', { name: 'Close' }).click();
  await panelError.waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).search, '');
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await errorMessage.getByRole('button', { name: 'Close' }).click();
  await errorMessage.waitFor({ state: 'detached' });
  assert.equal(
    await page.evaluate(() => document.activeElement?.textContent),
    'Watchlist',
    'the focus stays in the card',
  );
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await errorMessage.getByRole('button', { name: 'Try again' }).waitFor();
  await waitForRows(page, TWO);
  await page.context().setOffline(false);
  await errorMessage.getByRole('button', { name: 'Try again' }).click();
  await dialog(page, 'Edit watchlist').getByRole('button', { name: 'Done' }).click();
  await dialog(page, 'Edit watchlist').waitFor({ state: 'detached' });
  await getRows(page).first().click();
  await dialog(page, 'Apple Inc.').getByText('52-week range').waitFor();
});
