import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { heard, listen } from './listen.ts';
import { card, isSaved, memberWith, rows, search, showsRows } from './watchlist-card.ts';

const FOUR = ['AAPL', 'MSFT', 'VOO', 'KO'];

const focusIs = (page: Page, wanted: string): Promise<unknown> =>
  page.waitForFunction((text) => document.activeElement?.textContent?.trim() === text, wanted);

test('the list is one stop of Tab, arrows go through it, and its keys search, help and take back', async ({
  page,
  service,
}) => {
  const person = await memberWith(page, service, FOUR);
  const stops = (): Promise<number> => rows(page).and(page.locator('[tabindex="0"]')).count();
  assert.equal(await stops(), 1);
  await rows(page).first().focus();
  await page.keyboard.press('ArrowDown');
  await focusIs(page, 'MSFT');
  await page.keyboard.press('End');
  await focusIs(page, 'KO');
  await page.keyboard.press('ArrowDown');
  await focusIs(page, 'KO');
  await page.keyboard.press('Home');
  await focusIs(page, 'AAPL');
  assert.equal(await stops(), 1);
  await page.keyboard.press('Tab');
  assert.equal(
    await rows(page).evaluateAll((links) => links.includes(document.activeElement as HTMLElement & SVGElement)),
    false,
    'Tab leaves the list',
  );

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Take the last removal or move back').waitFor();
  await focusIs(page, 'Keyboard shortcuts');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });

  await page.keyboard.press('/');
  await search(page).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
  await page.keyboard.type('KO');
  // Symbol, exchange and name are told apart by ear.
  const coke = card(page).getByRole('option', { name: /^KO ?, NYSE ?, The Coca-Cola Company ?, stock/ });
  await coke.waitFor();
  assert.equal(await search(page).inputValue(), 'KO', 'the key that opens the search is not typed');
  await listen(page);
  await coke.click();
  await showsRows(page, ['AAPL', 'MSFT', 'VOO']);
  await heard(page, 'The Coca-Cola Company removed');
  await card(page).getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Control+z');
  await showsRows(page, FOUR);
  await heard(page, 'The Coca-Cola Company is back at position 4.');
  assert.equal(
    await page.getByRole('status').filter({ hasText: 'is back at position' }).getAttribute('aria-atomic'),
    'false',
    'a notice does not have the older ones read again',
  );

  await card(page).getByRole('button', { name: 'Edit watchlist' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit watchlist' });
  await edit.waitFor();
  await focusIs(page, 'Edit watchlist');
  await edit.getByRole('button', { name: 'Move Apple', exact: true }).first().click();
  await page.getByRole('button', { name: 'Move to bottom' }).click();
  await isSaved(service, person, ['MSFT', 'VOO', 'KO', 'AAPL']);
  await page.keyboard.press('Control+z');
  await isSaved(service, person, FOUR);
});
