import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessible } from '../support/browser.ts';
import { findClippedTexts } from '../support/clipped-texts.ts';
import { test } from './fixtures.ts';
import { openSampleDashboard } from './sample-member.ts';

const getCard = (page: Page, name: string): Locator => page.getByRole('region', { name });

/** A locale with a net worth in the currency of its region. */
const LOCALES: readonly [locale: string, netWorth: RegExp][] = [
  ['de-DE', /^\d{1,3}(\.\d{3})+,\d\d\u00a0€$/],
  ['de-CH', /^CHF\u00a0\d{1,3}(’\d{3})+\.\d\d$/],
  ['fr-FR', /^\d{1,3}(\u202f\d{3})+,\d\d\u00a0€$/],
  ['en-IN', /^₹\d{1,2}(,\d\d)+,\d{3}\.\d\d$/],
];

/** Returns the clipped and overlapping texts of the member's pages with figures. */
async function findFaults(page: Page, widths: readonly number[]): Promise<string[]> {
  const faults: string[] = [];
  for (const path of ['/dashboard', '/portfolio', '/watchlist', '/settings']) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => document.querySelector('main .skeleton') === null);
    await assertAccessible(page, path);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 3200 });
      // A page may show a list instead of a table.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      for (const fault of await findClippedTexts(page, [])) faults.push(`${path}, ${width} px: ${fault}`);
    }
  }
  return faults;
}

for (const [locale, netWorth] of LOCALES)
  test(`writes the figures of a browser in ${locale} and clips none`, { tag: '@slow' }, async ({ visit, service }) => {
    const page = await visit({ locale });
    await openSampleDashboard(page, service, 'max');
    const figure = getCard(page, 'Net worth').getByTitle('Net worth: show how it came about').first();
    // The first figure is in dollars, until the currency of the browser's region is saved.
    await figure.filter({ hasText: netWorth }).waitFor();
    assert.deepEqual(await findFaults(page, [320, 390, 768, 1280, 1920]), []);
  });

test('adds up the terms of an explanation and reads them out in the browser’s format', async ({ visit, service }) => {
  const page = await visit({ locale: 'de-DE' });
  await openSampleDashboard(page, service, 'free');
  await getCard(page, 'Net worth').getByTitle('Net worth: show how it came about').first().click();
  const popover = page.getByRole('dialog', { name: 'Net worth', exact: true });
  const terms = popover.getByRole('list', { name: 'Terms' }).getByRole('listitem');
  await terms.first().waitFor();
  const readCents = (text: string): number => {
    assert.match(text, /^(Total:\s)?\u2212?[\d.]+,\d\d\u00a0€$/);
    return Number(text.replaceAll(/[^\d\u2212]/g, '').replace('\u2212', '-'));
  };
  const amounts = (await terms.locator('div:first-child > span:last-child').allInnerTexts()).map(readCents);
  const [total] = (
    await popover
      .getByText(/^Total: /)
      .locator('xpath=..')
      .allInnerTexts()
  ).map(readCents);
  assert.equal(
    amounts.reduce((sum, amount) => sum + amount, 0),
    total,
  );
  await page.keyboard.press('Escape');
  await getCard(page, 'Watchlist')
    .getByRole('link', { name: /, \d+,\d\d\s\$, up|, \d+,\d\d\s\$, down/ })
    .first()
    .waitFor();
});

test('keeps the chosen number format after a reload, in other tabs and in forms', async ({ visit, service }) => {
  const page = await visit();
  await openSampleDashboard(page, service, 'free');
  const other = await page.context().newPage();
  await other.goto('/dashboard');
  const getNetWorth = (tab: Page): Locator =>
    getCard(tab, 'Net worth').getByTitle('Net worth: show how it came about').first();
  await getNetWorth(other)
    .filter({ hasText: /^\$[\d,]+\.\d\d$/ })
    .waitFor();

  await page.goto('/settings');
  const list = page.getByRole('combobox', { name: 'Number format' });
  await getCard(page, 'Number format')
    .getByText(/\$1,234,567\.89.*Nov 29, 2026/)
    .waitFor();
  await list.selectOption('de-DE');
  await getCard(page, 'Number format')
    .getByText(/1\.234\.567,89\u00a0\$.*29 Nov 2026/)
    .waitFor();
  assert.equal(await list.evaluate((element) => element === document.activeElement), true);
  await getNetWorth(other)
    .filter({ hasText: /^[\d.]+,\d\d\u00a0\$$/ })
    .waitFor();

  await page.goto('/dashboard');
  await getNetWorth(page)
    .filter({ hasText: /^[\d.]+,\d\d\u00a0\$$/ })
    .waitFor();
  await getCard(page, 'Holdings').getByRole('button', { name: 'Accounts' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Edit / })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .last()
    .getByLabel(/^Cash, /)
    .filter({ visible: true })
    .first()
    .waitFor();
  assert.match(
    await page
      .getByRole('dialog')
      .last()
      .getByLabel(/^Cash, /)
      .first()
      .inputValue(),
    /^\d+(,\d+)?$/,
  );

  await page.goto('/settings');
  await list.selectOption('browser');
  await getCard(page, 'Number format')
    .getByText(/\$1,234,567\.89/)
    .waitFor();
});
