import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { delayRequest, controlTimeouts, dropResponse, expectedBrowserErrors } from './faults.ts';
import { shareMember } from './fixtures.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  replaceWatchlist,
  getRows,
  getSearchField,
  waitForRows,
  getCatalogSymbols,
  addToWatchlist,
} from './watchlist-card.ts';

const THREE = ['AAPL', 'MSFT', 'VOO'];
const test = shareMember(
  async (page, service) => {
    await controlTimeouts(page);
    return createMemberWith(page, service, THREE);
  },
  { expected: expectedBrowserErrors },
);
const edit = (page: Page): Locator => page.getByRole('dialog', { name: 'Edit watchlist' });

/** Opens a second tab of this member. */
async function openOtherTab(page: Page, shown: readonly string[]): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto('/dashboard');
  await waitForRows(other, shown);
  return other;
}

async function removeInEditor(page: Page, name: string): Promise<void> {
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await edit(page)
    .getByRole('button', { name: `Remove ${name}` })
    .click();
}

/** Asserts that the page announces no rejected action. */
async function assertNoRejection(page: Page): Promise<void> {
  assert.equal(await page.getByText(/Could not (add|remove|save)/).count(), 0);
}

test('repeats an add once when its response is lost', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT']);
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getSearchField(page).fill('AAPL');
  await getCard(page).getByRole('option', { name: /^AAPL/ }).waitFor();
  await dropResponse(page, { method: 'POST', path: /^\/api\/watchlist$/ });
  const second = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.status() === 409,
  );
  await getSearchField(page).press('Enter');
  assert.equal(((await (await second).json()) as { code: string }).code, 'ALREADY_WATCHED');
  await page.waitForFunction(() =>
    /\$/.test(document.querySelector('a[aria-label^="AAPL,"]')?.getAttribute('aria-label') ?? ''),
  );
  await waitForRows(page, ['MSFT', 'AAPL']);
  await waitForSavedOrder(service, member, ['MSFT', 'AAPL']);
  await assertNoRejection(page);
});

test(
  'saves offline adds, order and removals in sequence when the network is back',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, THREE);
    await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
    const field = edit(page).getByRole('combobox', { name: /^Search/ });
    await field.fill('KO');
    await edit(page).getByRole('option', { name: /^KO/ }).waitFor();
    await page.context().setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    await field.press('Enter');
    await edit(page)
      .getByRole('button', { name: /^Reorder .*Coca-Cola/ })
      .press('Alt+ArrowUp');
    await edit(page)
      .getByRole('button', { name: /^Reorder .*Coca-Cola Company, position 3 of 4/ })
      .waitFor();
    await edit(page).getByRole('button', { name: 'Remove Microsoft' }).click();
    await edit(page).getByRole('button', { name: 'Done' }).click();
    await waitForRows(page, ['AAPL', 'KO', 'VOO']);
    await page.getByText('You are offline.').waitFor();
    await waitForSavedOrder(service, member, THREE);
    await page.context().setOffline(false);
    await waitForSavedOrder(service, member, ['AAPL', 'KO', 'VOO']);
    await page.waitForFunction(() =>
      /\$/.test(document.querySelector('a[aria-label^="KO,"]')?.getAttribute('aria-label') ?? ''),
    );
    await waitForRows(page, ['AAPL', 'KO', 'VOO']);
    await assertNoRejection(page);
  },
);

test(
  'loads a detail that was offline when the connection is back',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, THREE);
    await getRows(page).first().click();
    await page.getByRole('dialog', { name: 'Apple Inc.' }).getByText('52-week range').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.context().setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    await getRows(page).nth(1).click();
    const panel = page.getByRole('dialog', { name: 'Microsoft Corporation' });
    await panel.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await panel.getByText('52-week range').waitFor();
  },
);

const twoTabsTest = shareMember((page, service) => createMemberWith(page, service, THREE));

twoTabsTest(
  'removes a row silently that the other tab has removed',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, THREE);
    const other = await openOtherTab(page, THREE);
    // This tab reads the other's change only after its own.
    const list = await delayRequest(page, { method: 'GET', path: /^\/api\/watchlist$/ });
    await removeInEditor(other, 'Microsoft');
    await waitForSavedOrder(service, member, ['AAPL', 'VOO']);
    await removeInEditor(page, 'Microsoft');
    list.release('answered');
    await waitForRows(page, ['AAPL', 'VOO']);
    await edit(page).getByRole('button', { name: 'Done' }).click();
    await assertNoRejection(page);
    await waitForSavedOrder(service, member, ['AAPL', 'VOO']);
    await other.close();
  },
);

twoTabsTest('adds a ticker once that the other tab has added', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT']);
  const other = await openOtherTab(page, ['MSFT']);
  for (const tab of [other, page]) {
    await getCard(tab).getByRole('button', { name: 'Add tickers' }).click();
    await getSearchField(tab).fill('KO');
    await getCard(tab).getByRole('option', { name: /^KO/ }).waitFor();
  }
  // This tab reads the other's change only after its own, since Enter removes a ticker that is on the list.
  const list = await delayRequest(page, { method: 'GET', path: /^\/api\/watchlist$/ });
  await getSearchField(other).press('Enter');
  await waitForSavedOrder(service, member, ['MSFT', 'KO']);
  await getSearchField(page).press('Enter');
  list.release('answered');
  await getCard(page)
    .getByRole('option', { name: /^KO.*watching/ })
    .waitFor();
  await waitForRows(page, ['MSFT', 'KO']);
  await waitForSavedOrder(service, member, ['MSFT', 'KO']);
  await assertNoRejection(page);
  await other.close();
});

twoTabsTest(
  'explains a detail whose row the other tab has removed, and removes the row',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, THREE);
    const other = await openOtherTab(page, THREE);
    // This tab may read its list more than once, and would then find the change.
    const list = await delayRequest(page, { method: 'GET', path: /^\/api\/watchlist$/ });
    await removeInEditor(other, 'Microsoft');
    await waitForSavedOrder(service, member, ['AAPL', 'VOO']);
    await getRows(page).nth(1).click();
    await page.getByText('MSFT is no longer on your watchlist.').waitFor();
    list.release('answered');
    await waitForRows(page, ['AAPL', 'VOO']);
    await other.close();
  },
);

twoTabsTest(
  'rejects an add with the way on when the other tab has used the last place',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    const symbols = (await getCatalogSymbols(service, 40)).filter((symbol) => symbol !== 'KO');
    await replaceWatchlist(page, service, member, symbols.slice(0, 19));
    await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
    await getSearchField(page).fill('KO');
    await getCard(page).getByRole('option', { name: /^KO/ }).waitFor();
    await addToWatchlist(service, member, [symbols[20]!]);
    await getSearchField(page).press('Enter');
    const notice = page.getByRole('status').locator('div', { hasText: 'Your watchlist is full (20 of 20).' }).last();
    await notice.getByRole('button', { name: 'Upgrade' }).waitFor();
    await waitForRows(page, [...symbols.slice(0, 19), symbols[20]!]);
    assert.equal(await getSearchField(page).inputValue(), 'KO', 'what was typed stays');
  },
);
