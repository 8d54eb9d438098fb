import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { assertAccessible, forEachVariant, a11yScenarios } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { signUp } from './people.ts';
import { openSampleDashboard } from './sample-member.ts';
import { getHoldings } from './home-holdings.ts';

/** Visits the states of a dashboard with all cards. */
async function tourDashboard(page: Page, check: (state: string) => Promise<void>): Promise<void> {
  await getHoldings(page).waitFor();
  await page.getByRole('list', { name: 'Latest news' }).waitFor();
  await page.getByRole('list', { name: 'Watched tickers' }).waitFor();
  await check('all cards');
  await page.getByRole('button', { name: 'Compare with a fund' }).click();
  await page.getByRole('slider', { name: 'Return of net worth and VOO' }).press('Home');
  await check('comparison with a selected day');
  await page.getByRole('button', { name: 'End the comparison' }).click();
  await page.getByRole('button', { name: 'Privacy mode' }).click();
  await check('privacy');
  await page.getByRole('button', { name: 'Privacy mode' }).click();
  await page.getByRole('button', { name: 'Arrange' }).click();
  await check('arranging');
  const save = page.waitForResponse(
    (response) => response.url().endsWith('/api/dashboard') && response.request().method() === 'PUT',
  );
  await page.getByRole('button', { name: 'Remove Upcoming earnings' }).click();
  await save;
  await page.getByRole('button', { name: 'Add card' }).click();
  await page.getByRole('button', { name: 'Add Upcoming earnings' }).waitFor();
  await check('Add card');
  await page.getByRole('button', { name: 'Add Upcoming earnings' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add investment' }).first().click();
  await page.getByRole('combobox', { name: 'Security' }).fill('van');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  await check('searching');
  await page.getByRole('dialog').getByRole('option').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add investment' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await check('Add investment with errors');
}

/** Throws if the page is wider than the screen. */
async function assertFits(page: Page, state: string): Promise<void> {
  const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= screen, `${state} is ${content} pixels wide on a screen of ${screen}`);
}

for (const scenario of a11yScenarios) {
  test(
    `passes axe-core on the dashboard from ${scenario.theme}, ${scenario.size}`,
    { tag: '@slow' },
    async ({ service, visit }) => {
      const page = await visit(scenario);
      await openSampleDashboard(page, service, 'free');
      await tourDashboard(page, (state) =>
        forEachVariant(page, scenario, async (variantName) => {
          await assertAccessible(page, `${state} (${variantName})`);
          await assertFits(page, state);
        }),
      );
    },
  );
}

test('passes axe-core on a dashboard that loads, fails or is empty', { tag: '@slow' }, async ({ visit }) => {
  const page = await visit({ size: 'phone', expected: [/500/] });
  await page.route('**/api/news*', (route) =>
    route.fulfill({
      status: 500,
      json: {
        code: 'INTERNAL',
        message: 'Something went wrong on our side; quote the request id.',
        request_id: 'req_1',
      },
    }),
  );
  await signUp(page);
  await page.getByRole('button', { name: 'Not now' }).waitFor();
  await assertAccessible(page, 'the first steps');
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByText('The total of your cash and investments, day by day.').waitFor();
  await page.getByRole('region', { name: 'Latest news' }).getByRole('alert').waitFor();
  await assertAccessible(page, 'nothing known, one card failed');
  await page.setViewportSize({ width: 320, height: 640 });
  await assertFits(page, 'at 320 pixels');
  await page.getByRole('button', { name: 'Arrange' }).click();
  await assertFits(page, 'arranging at 320 pixels');
  for (const name of [
    'Net worth',
    'Accounts',
    'Movers',
    'Holdings',
    'Upcoming earnings',
    'Dividends',
    'Latest news',
    'Watchlist',
  ])
    await page.getByRole('button', { name: `Remove ${name}` }).click();
  await page.getByRole('heading', { name: 'Home is empty' }).waitFor();
  await assertAccessible(page, 'no cards');
  await assertFits(page, 'no cards at 320 pixels');
});
