import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { holdCall, holdTimeouts, loseAnswer, noted } from './faults.ts';
import { test } from './fixtures.ts';
import {
  card,
  isSaved,
  lookAgain,
  memberWith,
  relist,
  rows,
  search,
  showsRows,
  someSymbols,
  watch,
} from './watchlist-card.ts';

const THREE = ['AAPL', 'MSFT', 'VOO'];
const edit = (page: Page): Locator => page.getByRole('dialog', { name: 'Edit watchlist' });

/** The same member's second tab. */
async function otherTab(page: Page, shown: readonly string[]): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto('/dashboard');
  await showsRows(other, shown);
  return other;
}

async function removeFromEdit(page: Page, name: string): Promise<void> {
  await card(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await edit(page)
    .getByRole('button', { name: `Remove ${name}` })
    .click();
}

/** Nothing on the page says that something was not done. */
async function noRefusal(page: Page): Promise<void> {
  assert.equal(await page.getByText(/was not (added|removed|saved)/).count(), 0);
}

test('without the service for a while', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ expected: noted });
  await holdTimeouts(page);
  const person = await memberWith(page, service, THREE);
  await test.step('an add whose answer was lost is sent once more, and “watched already” is taken as done', async () => {
    await relist(page, service, person, ['MSFT']);
    await card(page).getByRole('button', { name: 'Add tickers' }).click();
    await search(page).fill('AAPL');
    await card(page).getByRole('option', { name: /^AAPL/ }).waitFor();
    await loseAnswer(page, { method: 'POST', path: /^\/api\/watchlist$/ });
    const second = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.status() === 409,
    );
    await search(page).press('Enter');
    assert.equal(((await (await second).json()) as { code: string }).code, 'ALREADY_WATCHED');
    await page.waitForFunction(() =>
      /\$/.test(document.querySelector('a[aria-label^="AAPL,"]')?.getAttribute('aria-label') ?? ''),
    );
    await showsRows(page, ['MSFT', 'AAPL']);
    await isSaved(service, person, ['MSFT', 'AAPL']);
    await noRefusal(page);
  });
  await test.step('offline for a while: add, order and removal on screen at once, saved in that order when the network is back', async () => {
    await relist(page, service, person, THREE);
    await card(page).getByRole('button', { name: 'Edit watchlist' }).click();
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
    await showsRows(page, ['AAPL', 'KO', 'VOO']);
    await page.getByText('You are offline.').waitFor();
    await isSaved(service, person, THREE);
    await page.context().setOffline(false);
    await isSaved(service, person, ['AAPL', 'KO', 'VOO']);
    await page.waitForFunction(() =>
      /\$/.test(document.querySelector('a[aria-label^="KO,"]')?.getAttribute('aria-label') ?? ''),
    );
    await showsRows(page, ['AAPL', 'KO', 'VOO']);
    await noRefusal(page);
  });
  await test.step('offline: a detail that is opened says what it waits for and comes when the connection is back', async () => {
    await relist(page, service, person, THREE);
    await rows(page).first().click();
    await page.getByRole('dialog', { name: 'Apple Inc.' }).getByText('52-week range').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.context().setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    await rows(page).nth(1).click();
    const panel = page.getByRole('dialog', { name: 'Microsoft Corporation' });
    await panel.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await panel.getByText('52-week range').waitFor();
  });
});

test('two tabs of one member', { tag: '@slow' }, async ({ page, service }) => {
  const person = await memberWith(page, service, THREE);
  const other = await otherTab(page, THREE);
  await test.step('two tabs: a row that the other one has removed is removed here without a word of refusal', async () => {
    await removeFromEdit(other, 'Microsoft');
    await isSaved(service, person, ['AAPL', 'VOO']);
    await removeFromEdit(page, 'Microsoft');
    await showsRows(page, ['AAPL', 'VOO']);
    await edit(page).getByRole('button', { name: 'Done' }).click();
    await noRefusal(page);
    await isSaved(service, person, ['AAPL', 'VOO']);
  });
  await test.step('two tabs: a ticker that the other one has added is added here once', async () => {
    await relist(page, service, person, ['MSFT']);
    await lookAgain(other, ['MSFT']);
    for (const tab of [other, page]) {
      await card(tab).getByRole('button', { name: 'Add tickers' }).click();
      await search(tab).fill('KO');
      await card(tab).getByRole('option', { name: /^KO/ }).waitFor();
    }
    await search(other).press('Enter');
    await isSaved(service, person, ['MSFT', 'KO']);
    await search(page).press('Enter');
    await card(page)
      .getByRole('option', { name: /^KO.*watching/ })
      .waitFor();
    await showsRows(page, ['MSFT', 'KO']);
    await isSaved(service, person, ['MSFT', 'KO']);
    await noRefusal(page);
  });
  await test.step('two tabs: the detail of a row that the other one has removed says so, and the row goes', async () => {
    await relist(page, service, person, THREE);
    await lookAgain(other, THREE);
    // This tab may ask for its list anew at any time, and would then know.
    const list = await holdCall(page, { method: 'GET', path: /^\/api\/watchlist$/ });
    await removeFromEdit(other, 'Microsoft');
    await isSaved(service, person, ['AAPL', 'VOO']);
    await rows(page).nth(1).click();
    await page.getByText('MSFT is no longer on your watchlist.').waitFor();
    list.letGo('answered');
    await showsRows(page, ['AAPL', 'VOO']);
  });
  await test.step('two tabs: the last place that the other one has taken is refused here in words, with the way on', async () => {
    const symbols = (await someSymbols(service, 40)).filter((symbol) => symbol !== 'KO');
    await relist(page, service, person, symbols.slice(0, 19));
    await card(page).getByRole('button', { name: 'Add tickers' }).click();
    await search(page).fill('KO');
    await card(page).getByRole('option', { name: /^KO/ }).waitFor();
    await watch(service, person, [symbols[20]!]);
    await search(page).press('Enter');
    const notice = page.getByRole('status').locator('div', { hasText: 'your watchlist is full, 20 of 20.' }).last();
    await notice.getByRole('button', { name: 'Upgrade' }).waitFor();
    await showsRows(page, [...symbols.slice(0, 19), symbols[20]!]);
    assert.equal(await search(page).inputValue(), 'KO', 'what was typed stays');
  });
});
