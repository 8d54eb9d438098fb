import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { sizes } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { pressTabUntil } from './keys.ts';
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

test('announces keyboard actions', { tag: '@slow' }, async ({ page, service }) => {
  const person = await createMemberWith(page, service, ['MSFT', 'VOO']);
  await test.step('adds, orders, removes, undoes, sorts, opens and imports by keyboard', async () => {
    await pressTabUntil(page, /^Add tickers$/);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await page.keyboard.type('KO');
    await page.keyboard.press('Enter');
    await waitForSavedOrder(service, person, ['MSFT', 'VOO', 'KO']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Add tickers');
    await pressTabUntil(page, /^Edit watchlist$/);
    await page.keyboard.press('Enter');
    await dialog(page, 'Edit watchlist').waitFor();
    await pressTabUntil(page, /^Reorder Microsoft/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitForSavedOrder(service, person, ['VOO', 'MSFT', 'KO']);
    await pressTabUntil(page, /^Remove Microsoft$/);
    await page.keyboard.press('Enter');
    await waitForSavedOrder(service, person, ['VOO', 'KO']);
    await pressTabUntil(page, /^Undo$/);
    await page.keyboard.press('Enter');
    await waitForSavedOrder(service, person, ['VOO', 'MSFT', 'KO']);
    await pressTabUntil(page, /^Done$/);
    await page.keyboard.press('Enter');
    await dialog(page, 'Edit watchlist').waitFor({ state: 'detached' });
    await waitForRows(page, ['VOO', 'MSFT', 'KO']);
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Edit watchlist');
    await pressTabUntil(page, /^Sort/);
    await page.keyboard.type('Name');
    await waitForRows(page, ['MSFT', 'KO', 'VOO']);
    await pressTabUntil(page, /^MSFT, /);
    await page.keyboard.press('Enter');
    const panel = dialog(page, 'Microsoft Corporation');
    await panel.getByText('52-week range').waitFor();
    await pressTabUntil(page, /^Remove$/);
    await page.keyboard.press('Enter');
    await panel.waitFor({ state: 'detached' });
    await waitForSavedOrder(service, person, ['VOO', 'KO']);
    await pressTabUntil(page, /^More$/, { back: true });
    await page.keyboard.press('Enter');
    await pressTabUntil(page, /^Import tickers$/);
    await page.keyboard.press('Enter');
    await dialog(page, 'Import tickers').waitFor();
    await pressTabUntil(page, /^Tickers: one per line/);
    await page.keyboard.type('AAPL');
    await pressTabUntil(page, /^Preview$/);
    await page.keyboard.press('Enter');
    await dialog(page, 'Import tickers').getByText('will be added', { exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Add 1 ticker');
    await page.keyboard.press('Enter');
    await waitForSavedOrder(service, person, ['VOO', 'KO', 'AAPL']);
  });
  await test.step('announces adds, removals, undo, moves and locks by name and position without ids', async () => {
    const twenty = (await getCatalogSymbols(service, 40))
      .filter((symbol) => !['AAPL', 'KO'].includes(symbol))
      .slice(0, 19);
    await replaceWatchlist(page, service, person, ['AAPL']);
    const readAnnouncements = await recordAnnouncements(page);
    await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
    await page.getByRole('combobox', { name: /^Search/ }).fill('KO');
    await getCard(page).getByRole('option', { name: /^KO/ }).click();
    await waitForAnnouncement(page, 'The Coca-Cola Company added, 2 of 20');
    await getCard(page)
      .getByRole('option', { name: /^KO.*watching/ })
      .click();
    await waitForAnnouncement(page, 'The Coca-Cola Company removed');
    await waitForSavedOrder(service, person, ['AAPL']);
    await getRows(page).first().click();
    await dialog(page, 'Apple Inc.').getByRole('button', { name: 'Remove' }).click();
    await waitForAnnouncement(page, 'Apple removed.');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
    await waitForAnnouncement(page, 'Apple is back at position 1.');
    await waitForSavedOrder(service, person, ['AAPL']);
    const locked = ['AAPL', ...twenty, 'KO'];
    const first = await readAnnouncements();
    await replaceWatchlist(page, service, person, locked, locked.slice(0, 20));
    const then = await recordAnnouncements(page);
    await getCard(page).getByRole('button', { name: 'Choose which 20' }).click();
    const edit = dialog(page, 'Edit watchlist');
    await edit.getByRole('button', { name: /^Reorder .*Coca-Cola/ }).press('Alt+ArrowUp');
    await waitForAnnouncement(page, 'The Coca-Cola Company moved to position 20 of 21, now active');
    await edit.getByRole('button', { name: /^Reorder .*Coca-Cola Company, position 20/ }).press('Alt+ArrowDown');
    await waitForAnnouncement(page, 'The Coca-Cola Company moved to position 21 of 21, now locked');
    await edit.getByRole('button', { name: 'Remove The Coca-Cola Company' }).click();
    await dialog(page, 'Remove The Coca-Cola Company?').getByRole('button', { name: 'Remove' }).click();
    await waitForAnnouncement(page, 'The Coca-Cola Company removed');
    for (const text of [...first, ...(await then())]) assert.doesNotMatch(text, UUID);
  });
});

test('performs all actions with single taps without dragging', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ size: 'phone' });
  const person = await createMemberWith(page, service, ['MSFT', 'VOO']);
  await getCard(page).getByRole('listitem').first().getByText('%').tap();
  await getCard(page)
    .getByRole('button', { name: /Day \$/ })
    .first()
    .waitFor();
  await getCard(page).getByRole('button', { name: 'Add tickers' }).tap();
  await getCard(page).getByRole('option', { name: /^AAPL/ }).tap();
  await waitForSavedOrder(service, person, ['MSFT', 'VOO', 'AAPL']);
  await getCard(page).getByRole('button', { name: 'Done' }).tap();
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).tap();
  const edit = dialog(page, 'Edit watchlist');
  await edit.getByRole('button', { name: /^Move Apple/ }).tap();
  await page.getByText('Move to top').tap();
  await waitForSavedOrder(service, person, ['AAPL', 'MSFT', 'VOO']);
  await edit.getByRole('button', { name: 'Remove Microsoft' }).tap();
  await waitForSavedOrder(service, person, ['AAPL', 'VOO']);
  await edit.getByRole('button', { name: 'Undo' }).tap();
  await waitForSavedOrder(service, person, ['AAPL', 'MSFT', 'VOO']);
  await edit.getByRole('button', { name: 'Done' }).tap();
  await edit.waitFor({ state: 'detached' });
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
  await waitForSavedOrder(service, person, ['AAPL', 'VOO']);
  await getCard(page).getByRole('button', { name: 'More' }).tap();
  await getCard(page).getByRole('button', { name: 'Import tickers' }).tap();
  const importing = dialog(page, 'Import tickers');
  await importing.getByRole('textbox').fill('KO');
  await importing.getByRole('button', { name: 'Preview' }).tap();
  await importing.getByRole('button', { name: 'Add 1 ticker' }).tap();
  await importing.waitFor({ state: 'detached' });
  await waitForSavedOrder(service, person, ['AAPL', 'VOO', 'KO']);
});
