import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, useSite } from '../support/browser.ts';
import { step } from './step.ts';
import { card, isSaved, LIST, memberWith, relist, search, showsRows, watch } from './watchlist-card.ts';

const site = useSite();
const FEW = ['AAPL', 'MSFT', 'VOO', 'VFIAX'];

test('the list where the service fails, and while it is away', async (t) => {
  const page = await site.visit(t, { expected: [/answer 503/, /status of 503/, /ERR_INTERNET_DISCONNECTED/] });
  const person = await memberWith(page, site.service, FEW);
  await step(t, 'a list that cannot be read has its place and another try', async () => {
    await page.route(LIST, (route) =>
      route.fulfill({
        status: 503,
        json: { code: 'TIER_UNAVAILABLE', message: 'Your plan cannot be looked up right now; try again shortly.' },
      }),
    );
    await page.reload();
    await card(page).getByText('Your plan cannot be looked up right now').waitFor();
    await assertAccessible(page, 'error');
    await page.unroute(LIST);
    await card(page).getByRole('button', { name: 'Try again' }).click();
    await showsRows(page, FEW);
  });
  await step(
    t,
    'an add that fails leaves the list as it was and says why; one that is watched already counts as done',
    async () => {
      await relist(page, site.service, person, ['MSFT']);
      await card(page).getByRole('button', { name: 'Add tickers' }).click();
      await page.route('**/api/watchlist', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              status: 503,
              json: { code: 'UNAVAILABLE', message: 'The symbol cannot be looked up right now; try again shortly.' },
            })
          : route.continue(),
      );
      await search(page).fill('AAPL');
      await search(page).press('Enter');
      await page.getByText('Apple was not added. The symbol cannot be looked up right now').waitFor();
      await showsRows(page, ['MSFT']);
      assert.equal(await search(page).inputValue(), 'AAPL', 'what was typed stays');
      await page.unroute('**/api/watchlist');
      // As after an answer that was lost on its way: the service has it, the page does not know.
      await watch(site.service, person, ['AAPL']);
      await search(page).press('Enter');
      await showsRows(page, ['MSFT', 'AAPL']);
      await card(page)
        .getByRole('option', { name: /Apple.*watching/ })
        .waitFor();
    },
  );
  await step(t, 'offline for a while: what was changed is sent when the connection is back', async () => {
    await relist(page, site.service, person, ['MSFT', 'AAPL', 'VOO']);
    await card(page).getByRole('button', { name: 'Edit watchlist' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Reorder Apple/ })
      .waitFor();
    await page.context().setOffline(true);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Reorder Apple/ })
      .press('Alt+ArrowUp');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Vanguard S&P 500 ETF' }).click();
    await page.context().setOffline(false);
    await isSaved(site.service, person, ['AAPL', 'MSFT']);
  });
});

test('the list changed elsewhere, and brought in', async (t) => {
  const page = await site.visit(t);
  const person = await memberWith(page, site.service, ['MSFT']);
  await step(t, 'two tabs: what one has changed the other shows when it is looked at again', async () => {
    await watch(site.service, person, ['KO']);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await showsRows(page, ['MSFT', 'KO']);
  });
  await step(t, 'a list is brought in with a preview, row by row', async () => {
    await relist(page, site.service, person, ['MSFT']);
    await card(page).getByRole('button', { name: 'More' }).click();
    await card(page).getByRole('button', { name: 'Import tickers' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import tickers' });
    await dialog.getByRole('textbox').fill('AAPL\nNASDAQ:MSFT\nNOSUCHSYMBOL');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('will be added').waitFor();
    assert.equal(await preview.getByText('on the list already').count(), 1);
    assert.equal(await preview.getByText('not found').count(), 1);
    await assertAccessible(page, 'import');
    await isSaved(site.service, person, ['MSFT']);
    await dialog.getByRole('button', { name: 'Add 1 ticker' }).click();
    await showsRows(page, ['MSFT', 'AAPL']);
    const download = page.waitForEvent('download');
    await card(page).getByRole('button', { name: 'More' }).click();
    await card(page).getByRole('button', { name: 'Export as CSV' }).click();
    assert.match((await download).suggestedFilename(), /^watchlist-\d{4}-\d\d-\d\d\.csv$/);
  });
});
