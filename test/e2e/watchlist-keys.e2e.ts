import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { shareMember } from './fixtures.ts';
import { waitForAnnouncement, recordAnnouncements } from './announcements.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  replaceWatchlist,
  getRows,
  getSearchField,
  waitForRows,
} from './watchlist-card.ts';

const FOUR = ['AAPL', 'MSFT', 'VOO', 'KO'];

const waitForFocus = (page: Page, expected: string): Promise<unknown> =>
  page.waitForFunction((text) => document.activeElement?.textContent?.trim() === text, expected);

const test = shareMember((page, service) => createMemberWith(page, service, FOUR));

test('makes the list one tab stop with arrow keys', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FOUR);
  const countTabStops = (): Promise<number> => getRows(page).and(page.locator('[tabindex="0"]')).count();
  assert.equal(await countTabStops(), 1);
  await getRows(page).first().focus();
  await page.keyboard.press('ArrowDown');
  await waitForFocus(page, 'MSFT');
  await page.keyboard.press('End');
  await waitForFocus(page, 'KO');
  await page.keyboard.press('ArrowDown');
  await waitForFocus(page, 'KO');
  await page.keyboard.press('Home');
  await waitForFocus(page, 'AAPL');
  assert.equal(await countTabStops(), 1);
  await page.keyboard.press('Tab');
  assert.equal(
    await getRows(page).evaluateAll((links) => links.includes(document.activeElement as HTMLElement & SVGElement)),
    false,
    'Tab leaves the list',
  );
});

test('shows the keyboard shortcuts on “?”', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FOUR);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Undo the last removal or move').waitFor();
  await help.getByText('On a row: set an alert').waitFor();
  await help.getByText('Ctrl K, its name, Enter').waitFor();
  await waitForFocus(page, 'Keyboard shortcuts');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.keyboard.press('?');
  await help.getByText('Ctrl K, its name, Enter').waitFor();
  assert.equal(await help.getByText('Undo the last removal or move').count(), 0);
  await page.keyboard.press('Escape');
  await page.goto('/dashboard');
});

test(
  'opens its search on “/” in the card and undoes on Control+Z',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, FOUR);
    await getRows(page).first().focus();
    await page.keyboard.press('/');
    await getSearchField(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await page.keyboard.type('KO');
    // A screen reader separates symbol, exchange and name.
    const coke = getCard(page).getByRole('option', { name: /^KO ?, NYSE ?, The Coca-Cola Company ?, stock/ });
    await coke.waitFor();
    assert.equal(await getSearchField(page).inputValue(), 'KO', 'the key that opens the search is not typed');
    await recordAnnouncements(page);
    await coke.click();
    await waitForRows(page, ['AAPL', 'MSFT', 'VOO']);
    await waitForAnnouncement(page, 'The Coca-Cola Company removed');
    await getCard(page).getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('Control+z');
    await waitForRows(page, FOUR);
    await waitForAnnouncement(page, 'The Coca-Cola Company is back at position 4.');
    assert.equal(
      await page.getByRole('status').filter({ hasText: 'is back at position' }).getAttribute('aria-atomic'),
      'false',
      'a notice does not have the older ones read again',
    );
  },
);

test('undoes a move in the editor on Control+Z', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FOUR);
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit watchlist' });
  await edit.waitFor();
  await waitForFocus(page, 'Edit watchlist');
  await edit.getByRole('button', { name: 'Move Apple', exact: true }).first().click();
  await page.getByRole('button', { name: 'Move to bottom' }).click();
  await waitForSavedOrder(service, member, ['MSFT', 'VOO', 'KO', 'AAPL']);
  await page.keyboard.press('Control+z');
  await waitForSavedOrder(service, member, FOUR);
});
