import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { sizes } from '../support/browser.ts';
import { shareMember } from './fixtures.ts';
import { pressEnterOn, pressTabUntil } from './keys.ts';
import { waitForAnnouncement, recordAnnouncements } from './announcements.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  replaceWatchlist,
  getRows,
  waitForRows,
  getCatalogSymbols,
} from './watchlist-card.ts';

// Covers every action by keyboard only and by single presses without dragging, with its announcements.
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}|pending:/i;

const test = shareMember((page, service) => createMemberWith(page, service, ['MSFT', 'VOO']));
const phoneTest = shareMember((page, service) => createMemberWith(page, service, ['MSFT', 'VOO']), { size: 'phone' });

test('adds a ticker by keyboard', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT', 'VOO']);
  await pressEnterOn(page, /^Add tickers$/);
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
  await page.keyboard.type('KO');
  await page.keyboard.press('Enter');
  await waitForSavedOrder(service, member, ['MSFT', 'VOO', 'KO']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Add tickers');
});

test(
  'orders, removes and restores a row in the editor by keyboard',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['MSFT', 'VOO', 'KO']);
    await pressEnterOn(page, /^Edit watchlist$/);
    await dialog(page, 'Edit watchlist').waitFor();
    await pressEnterOn(page, /^Reorder Microsoft/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitForSavedOrder(service, member, ['VOO', 'MSFT', 'KO']);
    await pressEnterOn(page, /^Remove Microsoft$/);
    await waitForSavedOrder(service, member, ['VOO', 'KO']);
    await pressEnterOn(page, /^Undo$/);
    await waitForSavedOrder(service, member, ['VOO', 'MSFT', 'KO']);
    await pressEnterOn(page, /^Done$/);
    await dialog(page, 'Edit watchlist').waitFor({ state: 'detached' });
    await waitForRows(page, ['VOO', 'MSFT', 'KO']);
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Edit watchlist');
  },
);

test('sorts the list by keyboard', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['VOO', 'MSFT', 'KO']);
  await pressTabUntil(page, /^Sort/);
  await page.keyboard.type('Name');
  await waitForRows(page, ['MSFT', 'KO', 'VOO']);
});

test('opens a row and removes it in its panel by keyboard', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT', 'VOO', 'KO']);
  // The list is one tab stop: its row that had the focus last.
  await pressTabUntil(page, /^(MSFT|VOO|KO), /);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const panel = dialog(page, 'Microsoft Corporation');
  await panel.getByText('52-week range').waitFor();
  await pressEnterOn(page, /^Remove from watchlist$/);
  await panel.waitFor({ state: 'detached' });
  await waitForSavedOrder(service, member, ['VOO', 'KO']);
});

test('imports tickers by keyboard', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['VOO', 'KO']);
  await pressEnterOn(page, /^More$/, { back: true });
  await pressEnterOn(page, /^Import tickers$/);
  await dialog(page, 'Import tickers').waitFor();
  await pressTabUntil(page, /^Tickers: one per line/);
  await page.keyboard.type('AAPL');
  await pressEnterOn(page, /^Preview$/);
  await dialog(page, 'Import tickers').getByText('will be added', { exact: true }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Add 1 ticker');
  await page.keyboard.press('Enter');
  await waitForSavedOrder(service, member, ['VOO', 'KO', 'AAPL']);
});

test(
  'announces adds, removals and undo by name and position without ids',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['AAPL']);
    const readAnnouncements = await recordAnnouncements(page);
    await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
    await page.getByRole('combobox', { name: /^Search/ }).fill('KO');
    await getCard(page).getByRole('option', { name: /^KO/ }).click();
    await waitForAnnouncement(page, 'The Coca-Cola Company added, 2 of 20');
    await getCard(page)
      .getByRole('option', { name: /^KO.*watching/ })
      .click();
    await waitForAnnouncement(page, 'The Coca-Cola Company removed');
    await waitForSavedOrder(service, member, ['AAPL']);
    await getRows(page).first().click();
    await dialog(page, 'Apple Inc.').getByRole('button', { name: 'Remove' }).click();
    await waitForAnnouncement(page, 'Apple removed from your watchlist.');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
    await waitForAnnouncement(page, 'Apple is back at position 1.');
    await waitForSavedOrder(service, member, ['AAPL']);
    for (const text of await readAnnouncements()) assert.doesNotMatch(text, UUID);
  },
);

test(
  'announces moves over the limit and a final removal by name without ids',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    const others = (await getCatalogSymbols(service, 40))
      .filter((symbol) => !['AAPL', 'KO'].includes(symbol))
      .slice(0, 19);
    const locked = ['AAPL', ...others, 'KO'];
    await replaceWatchlist(page, service, member, locked, locked.slice(0, 20));
    const readAnnouncements = await recordAnnouncements(page);
    await getCard(page).getByRole('button', { name: 'Choose which 20' }).click();
    const edit = dialog(page, 'Edit watchlist');
    await edit.getByRole('button', { name: /^Reorder .*Coca-Cola/ }).press('Alt+ArrowUp');
    await waitForAnnouncement(page, 'The Coca-Cola Company moved to position 20 of 21, now active');
    await edit.getByRole('button', { name: /^Reorder .*Coca-Cola Company, position 20/ }).press('Alt+ArrowDown');
    await waitForAnnouncement(page, 'The Coca-Cola Company moved to position 21 of 21, now locked');
    await edit.getByRole('button', { name: 'Remove The Coca-Cola Company' }).click();
    await dialog(page, 'Remove The Coca-Cola Company from your watchlist?')
      .getByRole('button', { name: 'Remove' })
      .click();
    await waitForAnnouncement(page, 'The Coca-Cola Company removed');
    for (const text of await readAnnouncements()) assert.doesNotMatch(text, UUID);
  },
);

phoneTest(
  'changes the second line and adds a ticker with single taps',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['MSFT', 'VOO']);
    await getCard(page).getByRole('listitem').first().getByText('%').tap();
    await getCard(page)
      .getByRole('button', { name: /Day \$/ })
      .first()
      .waitFor();
    await getCard(page).getByRole('button', { name: 'Add tickers' }).tap();
    await getCard(page).getByRole('option', { name: /^AAPL/ }).tap();
    await waitForSavedOrder(service, member, ['MSFT', 'VOO', 'AAPL']);
    await getCard(page).getByRole('button', { name: 'Done' }).tap();
  },
);

phoneTest('orders, removes and restores rows with single taps', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT', 'VOO', 'AAPL']);
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).tap();
  const edit = dialog(page, 'Edit watchlist');
  await edit.getByRole('button', { name: /^Move Apple/ }).tap();
  await page.getByText('Move to top').tap();
  await waitForSavedOrder(service, member, ['AAPL', 'MSFT', 'VOO']);
  await edit.getByRole('button', { name: 'Remove Microsoft' }).tap();
  await waitForSavedOrder(service, member, ['AAPL', 'VOO']);
  await edit.getByRole('button', { name: 'Undo' }).tap();
  await waitForSavedOrder(service, member, ['AAPL', 'MSFT', 'VOO']);
  await edit.getByRole('button', { name: 'Done' }).tap();
  await edit.waitFor({ state: 'detached' });
});

phoneTest(
  'removes a row in its panel with single taps, with all notices above the button',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['AAPL', 'MSFT', 'VOO']);
    await getRows(page).nth(1).tap();
    const panel = dialog(page, 'Microsoft Corporation');
    await panel.getByText('52-week range').waitFor();
    const { width, height } = sizes.phone;
    assert.deepEqual(await panel.boundingBox(), { x: 0, y: 0, width, height }, 'a sheet over the whole screen');
    const remove = panel.getByRole('button', { name: 'Remove' });
    const before = await remove.boundingBox();
    await panel.getByText('1Y', { exact: true }).tap();
    await panel.getByRole('slider', { name: 'Daily closes of MSFT, 1Y' }).waitFor();
    await panel.evaluate((sheet) => sheet.scrollTo(0, 200));
    assert.deepEqual(await remove.boundingBox(), before, 'Remove stays under the finger');
    const noticesEnd = await panel
      .locator(':scope > [role=status]')
      .last()
      .evaluate((corner) => innerHeight - Number.parseFloat(getComputedStyle(corner).bottom));
    assert.ok(before && noticesEnd <= before.y, `notices end at ${noticesEnd}, Remove begins at ${before?.y}`);
    await remove.tap();
    await panel.waitFor({ state: 'detached' });
    await waitForSavedOrder(service, member, ['AAPL', 'VOO']);
  },
);

phoneTest('imports tickers with single taps', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['AAPL', 'VOO']);
  await getCard(page).getByRole('button', { name: 'More' }).tap();
  await getCard(page).getByRole('button', { name: 'Import tickers' }).tap();
  const importing = dialog(page, 'Import tickers');
  await importing.getByRole('textbox').fill('KO');
  await importing.getByRole('button', { name: 'Preview' }).tap();
  await importing.getByRole('button', { name: 'Add 1 ticker' }).tap();
  await importing.waitFor({ state: 'detached' });
  await waitForSavedOrder(service, member, ['AAPL', 'VOO', 'KO']);
});
