import assert from 'node:assert/strict';
import type { ShownSecurity } from '../../src/features/securities/contract.ts';
import { delayRequest } from './faults.ts';
import { shareMember } from './fixtures.ts';
import {
  getCard,
  waitForSavedOrder,
  WATCHLIST_URL,
  createMemberWith,
  replaceWatchlist,
  getRows,
  getSearchField,
  waitForRows,
} from './watchlist-card.ts';

const THREE = ['AAPL', 'MSFT', 'VOO'];
const test = shareMember((page, service) => createMemberWith(page, service, THREE));
const errorTest = shareMember((page, service) => createMemberWith(page, service, THREE), {
  expected: [/answer 50[03]/, /status of 50[03]/],
});

test(
  'opens the panel at its own address and restores the focus on Escape',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, THREE);
    await getRows(page).nth(1).press('Enter');
    const panel = page.getByRole('dialog', { name: 'Microsoft Corporation' });
    await panel.getByText('52-week range').waitFor();
    assert.match(page.url(), /\?symbol=MSFT$/);
    for (const figure of ['Open', 'Previous close', 'Day’s range', 'Volume', 'Market cap'])
      assert.equal(await panel.getByText(figure, { exact: true }).count(), 1, figure);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    assert.match(page.url(), /\/dashboard$/);
    assert.equal(
      await getRows(page)
        .nth(1)
        .evaluate((row) => row === document.activeElement),
      true,
    );
  },
);

test(
  'opens panel and range by address, with a chart for arrow keys and as a table',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, THREE);
    await page.goto('/dashboard?symbol=AAPL&range=3M');
    const panel = page.getByRole('dialog', { name: 'Apple Inc.' });
    const chart = panel.getByRole('slider', { name: 'Daily closes of AAPL, 3M' });
    await chart.waitFor();
    assert.equal(await panel.getByRole('radio', { name: 'Three months' }).isChecked(), true);
    await panel.getByText(/^[+−]?[\d.]+%, [A-Z][a-z]{2} \d+.* to [A-Z][a-z]{2} \d+.* close$/).waitFor();
    const before = await chart.getAttribute('aria-valuetext');
    await chart.press('ArrowLeft');
    const after = await chart.getAttribute('aria-valuetext');
    assert.match(after ?? '', /^[A-Z][a-z]{2} \d+, \d{4}: \$[\d,.]+, [+−]?[\d.]+% since [A-Z][a-z]{2} \d+, \d{4}$/);
    assert.notEqual(after, before);
    await panel.getByRole('radio', { name: 'Three months' }).press('ArrowLeft');
    await panel.getByRole('slider', { name: 'Daily closes of AAPL, 1M' }).waitFor();
    assert.match(page.url(), /range=1M/);
    await panel.getByRole('button', { name: 'View as table' }).click();
    assert.ok((await panel.getByRole('table').getByRole('row').count()) > 15);
  },
);

test(
  'closes the panel on Remove, with an undo to the old place',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, THREE);
    await getRows(page).nth(1).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await waitForRows(page, ['AAPL', 'VOO']);
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('VOO,'));
    await waitForSavedOrder(service, member, ['AAPL', 'VOO']);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await waitForRows(page, THREE);
    await waitForSavedOrder(service, member, THREE);
  },
);

test(
  'shows a row that is still being added as watched in the panel',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['MSFT']);
    await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
    await getSearchField(page).fill('KO');
    await getCard(page).getByRole('option', { name: /^KO/ }).waitFor();
    const adding = await delayRequest(page, { method: 'POST', path: /^\/api\/watchlist$/ });
    await getSearchField(page).press('Enter');
    await adding.reached;
    await getRows(page).nth(1).click();
    const panel = page.getByRole('dialog', { name: /Coca-Cola/ });
    await panel.getByText('52-week range').waitFor();
    await panel.getByRole('button', { name: 'Remove' }).waitFor();
    assert.equal(await panel.getByRole('button', { name: 'Watch', exact: true }).count(), 0);
    adding.release('answered');
    await waitForSavedOrder(service, member, ['MSFT', 'KO']);
  },
);

test(
  'shows a chart without another press once its history has been fetched',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['NVDA']);
    let fetched = false;
    await page.route('**/api/securities/NVDA', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...((await response.json()) as ShownSecurity), ...(!fetched && { ranges: {} }) },
      });
    });
    await getRows(page).first().click();
    const panel = page.getByRole('dialog', { name: 'NVIDIA Corporation' });
    await panel.getByText('Loading price history…').waitFor();
    fetched = true;
    await panel.getByRole('slider', { name: 'Daily closes of NVDA, 1M' }).waitFor();
    assert.equal(await panel.getByText('Loading price history').count(), 0);
  },
);

test(
  'closes the panel with a notice when no security has the symbol',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, THREE);
    await page.goto('/dashboard?symbol=ZZZZQ');
    await page.getByText('We have no security with the symbol ZZZZQ.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(page.url(), /\/dashboard$/);
  },
);

test(
  'moves the focus to the card’s title when the last row disappears',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['AAPL']);
    await getRows(page).first().press('Enter');
    const remove = page.getByRole('dialog', { name: 'Apple Inc.' }).getByRole('button', { name: 'Remove' });
    await remove.press('Enter');
    await getCard(page).getByText('Start your watchlist').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Watchlist');
  },
);

test('opens the panel by address when the card is hidden', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, THREE);
  await page.getByRole('button', { name: 'Arrange' }).click();
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/dashboard') && response.request().method() === 'PUT' && response.ok(),
  );
  await page.getByRole('button', { name: 'Remove Watchlist' }).click();
  await saved;
  await getCard(page).waitFor({ state: 'detached' });
  // The former name of the parameter still opens the panel.
  await page.goto('/dashboard?ticker=AAPL');
  const panel = page.getByRole('dialog', { name: 'Apple Inc.' });
  await panel.getByText('52-week range').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  assert.match(page.url(), /\/dashboard$/);
});

errorTest(
  'shows a watched security without its actions until the list can be read',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, THREE);
    let isUnavailable = true;
    await page.route(WATCHLIST_URL, (route) =>
      isUnavailable
        ? route.fulfill({
            status: 503,
            json: { code: 'UNAVAILABLE', message: 'This is not available right now; try again later.' },
          })
        : route.fallback(),
    );
    await page.goto('/dashboard?symbol=AAPL');
    const waiting = page.getByRole('dialog', { name: 'Apple Inc.' });
    await waiting.getByText('52-week range').waitFor();
    await waiting.getByRole('alert').getByText('This is not available right now').waitFor();
    isUnavailable = false;
    await waiting.getByRole('button', { name: 'Try again' }).click();
    await waiting.getByRole('button', { name: 'Remove' }).waitFor();
  },
);
