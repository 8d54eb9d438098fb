import assert from 'node:assert/strict';
import { test } from './fixtures.ts';
import {
  getCard,
  waitForSavedOrder,
  WATCHLIST_URL,
  createMemberWith,
  replaceWatchlist,
  rereadWatchlist,
  waitForRows,
  addToWatchlist,
} from './watchlist-card.ts';

const FEW = ['AAPL', 'MSFT', 'VOO', 'VFIAX'];

test('shows a list that fails, changes remotely or is imported', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ expected: [/answer 503/, /status of 503/] });
  const person = await createMemberWith(page, service, FEW);
  await test.step('shows an error in place of the list with a retry', async () => {
    await page.route(WATCHLIST_URL, (route) =>
      route.fulfill({
        status: 503,
        json: { code: 'TIER_UNAVAILABLE', message: 'Your plan cannot be looked up right now; try again shortly.' },
      }),
    );
    await page.reload();
    await getCard(page).getByText('Your plan cannot be looked up right now').waitFor();
    await page.unroute(WATCHLIST_URL);
    await getCard(page).getByRole('button', { name: 'Try again' }).click();
    await waitForRows(page, FEW);
  });
  await test.step('shows a remote change when the member returns to the tab', async () => {
    await addToWatchlist(service, person, ['KO']);
    await rereadWatchlist(page);
    await waitForRows(page, [...FEW, 'KO']);
  });
  await test.step('imports a list with a preview of each row', async () => {
    await replaceWatchlist(page, service, person, ['MSFT']);
    await getCard(page).getByRole('button', { name: 'More' }).click();
    await getCard(page).getByRole('button', { name: 'Import tickers' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import tickers' });
    await dialog.getByRole('textbox').fill('AAPL\nNASDAQ:MSFT\nNOSUCHSYMBOL');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('will be added').waitFor();
    assert.equal(await preview.getByText('already on the list').count(), 1);
    assert.equal(await preview.getByText('not found').count(), 1);
    await waitForSavedOrder(service, person, ['MSFT']);
    await dialog.getByRole('button', { name: 'Add 1 ticker' }).click();
    await waitForRows(page, ['MSFT', 'AAPL']);
    const download = page.waitForEvent('download');
    await getCard(page).getByRole('button', { name: 'More' }).click();
    await getCard(page).getByRole('button', { name: 'Export as CSV' }).click();
    assert.match((await download).suggestedFilename(), /^watchlist-\d{4}-\d\d-\d\d\.csv$/);
  });
});
