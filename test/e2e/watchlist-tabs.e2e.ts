import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { delayRequest, controlTimeouts, dropResponse, expectedBrowserErrors } from './faults.ts';
import { test } from './fixtures.ts';
import {
  getCard,
  waitForSavedOrder,
  refreshAfterRemoteChange,
  createMemberWith,
  replaceWatchlist,
  getRows,
  getSearchField,
  waitForRows,
  getCatalogSymbols,
  addToWatchlist,
} from './watchlist-card.ts';

const THREE = ['AAPL', 'MSFT', 'VOO'];
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

test('while offline', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ expected: expectedBrowserErrors });
  await controlTimeouts(page);
  const person = await createMemberWith(page, service, THREE);
  await test.step('repeats an add with a lost response once and accepts “watched already” as success', async () => {
    await replaceWatchlist(page, service, person, ['MSFT']);
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
    await waitForSavedOrder(service, person, ['MSFT', 'AAPL']);
    await assertNoRejection(page);
  });
  await test.step('saves offline adds, order and removals in sequence when the network is back', async () => {
    await replaceWatchlist(page, service, person, THREE);
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
    await waitForSavedOrder(service, person, THREE);
    await page.context().setOffline(false);
    await waitForSavedOrder(service, person, ['AAPL', 'KO', 'VOO']);
    await page.waitForFunction(() =>
      /\$/.test(document.querySelector('a[aria-label^="KO,"]')?.getAttribute('aria-label') ?? ''),
    );
    await waitForRows(page, ['AAPL', 'KO', 'VOO']);
    await assertNoRejection(page);
  });
  await test.step('shows what an offline detail waits for, and loads it when the connection is back', async () => {
    await replaceWatchlist(page, service, person, THREE);
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
  });
});

test('synchronizes two tabs of one member', { tag: '@slow' }, async ({ page, service }) => {
  const person = await createMemberWith(page, service, THREE);
  const other = await openOtherTab(page, THREE);
  await test.step('removes a row silently that the other tab has removed', async () => {
    await removeInEditor(other, 'Microsoft');
    await waitForSavedOrder(service, person, ['AAPL', 'VOO']);
    await removeInEditor(page, 'Microsoft');
    await waitForRows(page, ['AAPL', 'VOO']);
    await edit(page).getByRole('button', { name: 'Done' }).click();
    await assertNoRejection(page);
    await waitForSavedOrder(service, person, ['AAPL', 'VOO']);
  });
  await test.step('adds a ticker once that the other tab has added', async () => {
    await replaceWatchlist(page, service, person, ['MSFT']);
    await refreshAfterRemoteChange(other, ['MSFT']);
    for (const tab of [other, page]) {
      await getCard(tab).getByRole('button', { name: 'Add tickers' }).click();
      await getSearchField(tab).fill('KO');
      await getCard(tab).getByRole('option', { name: /^KO/ }).waitFor();
    }
    await getSearchField(other).press('Enter');
    await waitForSavedOrder(service, person, ['MSFT', 'KO']);
    await getSearchField(page).press('Enter');
    await getCard(page)
      .getByRole('option', { name: /^KO.*watching/ })
      .waitFor();
    await waitForRows(page, ['MSFT', 'KO']);
    await waitForSavedOrder(service, person, ['MSFT', 'KO']);
    await assertNoRejection(page);
  });
  await test.step('explains a detail whose row the other tab has removed, and removes the row', async () => {
    await replaceWatchlist(page, service, person, THREE);
    await refreshAfterRemoteChange(other, THREE);
    // This tab may read its list at any time and would then find the change.
    const list = await delayRequest(page, { method: 'GET', path: /^\/api\/watchlist$/ });
    await removeInEditor(other, 'Microsoft');
    await waitForSavedOrder(service, person, ['AAPL', 'VOO']);
    await getRows(page).nth(1).click();
    await page.getByText('MSFT is no longer on your watchlist.').waitFor();
    list.release('answered');
    await waitForRows(page, ['AAPL', 'VOO']);
  });
  await test.step('rejects an add with the way on when the other tab has used the last place', async () => {
    const symbols = (await getCatalogSymbols(service, 40)).filter((symbol) => symbol !== 'KO');
    await replaceWatchlist(page, service, person, symbols.slice(0, 19));
    await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
    await getSearchField(page).fill('KO');
    await getCard(page).getByRole('option', { name: /^KO/ }).waitFor();
    await addToWatchlist(service, person, [symbols[20]!]);
    await getSearchField(page).press('Enter');
    const notice = page.getByRole('status').locator('div', { hasText: 'your watchlist is full, 20 of 20.' }).last();
    await notice.getByRole('button', { name: 'Upgrade' }).waitFor();
    await waitForRows(page, [...symbols.slice(0, 19), symbols[20]!]);
    assert.equal(await getSearchField(page).inputValue(), 'KO', 'what was typed stays');
  });
});
