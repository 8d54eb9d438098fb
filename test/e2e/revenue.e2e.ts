import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { assertAccessibleInAllVariants, a11yScenarios } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { test } from './fixtures.ts';
import { createMemberWith } from './watchlist-card.ts';

const field = (page: Page) => page.getByRole('textbox', { name: 'Operator’s token' });
const show = (page: Page) => page.getByRole('button', { name: 'Show the report' });

/** Adds two months of an old payer in a currency that no other test uses, once per service. */
async function seedPayer(service: TestService): Promise<void> {
  await service.database.owner(
    `with payer as (insert into public.billing_payers (customer_id) values ('cus_of_2020')
                      on conflict do nothing returning payer),
          invoice as (insert into public.billing_invoices (payer, id, status, currency, total_minor, net_minor, tier,
                        entry_source, created_at, paid_at)
                      select payer, 'in_2020', 'paid', 'CHF', 1200, 1200, 'pro', 'watchlist_limit', '2020-01-05Z',
                             '2020-01-05Z' from payer)
     insert into public.billing_movements (payer, kind, currency, mrr_minor, from_tier, to_tier, entry_source, moved_at)
     select payer, 'new', 'CHF', 1200, 'free', 'pro', 'watchlist_limit', '2020-01-05Z'::timestamptz from payer union all
     select payer, 'churn', 'CHF', -1200, 'pro', 'free', 'watchlist_limit', '2020-02-05Z' from payer`,
  );
}

/** The movements of the seeded payer as the report shows them. */
const MONTHS = [
  ['Month', 'Start', 'New', 'Expansion', 'Reactivation', 'Contraction', 'Churn', 'End'],
  ['February 2020, CHF', 'CHF 12.00', ...Array(4).fill('CHF 0.00'), '−CHF 12.00', 'CHF 0.00'],
  ['January 2020, CHF', 'CHF 0.00', 'CHF 12.00', ...Array(4).fill('CHF 0.00'), 'CHF 12.00'],
].map((row) => row.map((cell) => cell.replace(/CHF /, 'CHF\u00a0')));

/** Returns the cells of the report's table of months by row. */
async function readMonths(page: Page): Promise<string[][]> {
  const rows = await page.getByRole('region', { name: 'Movements by month' }).getByRole('row').allInnerTexts();
  return rows.map((row) => row.split(/\s*\t\s*/));
}

/** Opens the report on the days of the seeded payer. */
async function openReport(page: Page, service: TestService): Promise<void> {
  await seedPayer(service);
  await page.goto('/operator/revenue');
  await field(page).fill(service.firstRun.revenue_operator_token!);
  await field(page).press('Enter');
  await page.getByLabel('From', { exact: true }).fill('2020-01-01');
  await page.getByLabel('To', { exact: true }).fill('2020-02-28');
  await page.getByRole('button', { name: 'Show period' }).click();
  await page.getByText('Shown from 2020-01-01 to 2020-02-28.').waitFor();
}

for (const walk of a11yScenarios) {
  test(
    `opens the revenue report only with its token from ${walk.theme}, ${walk.size}`,
    { tag: '@slow' },
    async ({ service, visit }) => {
      const page = await visit(walk);
      const scripts: string[] = [];
      page.on('request', (request) => {
        scripts.push(new URL(request.url()).pathname);
      });
      await createMemberWith(page, service, []);
      assert.equal(scripts.filter((path) => path.includes('revenue')).length, 0, 'members do not load it');

      await page.goto('/operator/revenue');
      await show(page).click();
      await page.getByText('Enter the token.').waitFor();
      await field(page).fill('a word');
      await show(page).click();
      await page.getByText('The token has 64 hexadecimal characters.').waitFor();
      await field(page).fill(service.firstRun.operator_token);
      await show(page).click();
      await page.getByText('This token is not valid.').waitFor();
      await assertAccessibleInAllVariants(page, "the revenue report's token is asked for", walk);
    },
  );

  test(`shows the revenue report from ${walk.theme}, ${walk.size}`, { tag: '@slow' }, async ({ service, visit }) => {
    const page = await visit(walk);
    await openReport(page, service);
    assert.deepEqual(await readMonths(page), MONTHS);
    const source = page.getByRole('region', { name: 'By entry source', exact: true });
    await source.getByRole('rowheader', { name: 'Watchlist · Full, CHF' }).waitFor();
    const chart = page.getByRole('img', { name: 'Net revenue by entry source, CHF' });
    const chartDescription = await chart.evaluate(
      (element) => document.getElementById(element.getAttribute('aria-describedby')!)?.textContent,
    );
    assert.match(chartDescription ?? '', /Watchlist · Full: CHF\s12\.00/, 'the chart has a description');
    await page.getByText('Paid invoices without tax, less refunds').waitFor();
    await page.getByText('Start + new + expansion + reactivation + contraction + churn = end').waitFor();
  });

  test(
    `exports the revenue report and keeps no token after sign-out from ${walk.theme}, ${walk.size}`,
    { tag: '@slow' },
    async ({ service, visit }) => {
      const page = await visit(walk);
      await openReport(page, service);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download as CSV: By entry source' }).click();
      const file = await saved;
      assert.equal(file.suggestedFilename(), 'revenue-source-2020-01-01-2020-02-28.csv');
      assert.match(
        await text(await file.createReadStream()),
        /Watchlist · Full,proactive_watchlist,watchlist_limit,CHF,1200,1\r\n/,
      );
      await assertAccessibleInAllVariants(page, 'the revenue report', walk);
      await page.setViewportSize({ width: 320, height: 640 });
      const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(content <= screen, `${content} pixels wide on a screen of ${screen}`);

      await page.getByRole('button', { name: 'Sign out' }).click();
      assert.equal(await field(page).inputValue(), '');
      assert.deepEqual(
        await page.evaluate(() =>
          [JSON.stringify(localStorage), JSON.stringify(sessionStorage)].filter((storage) =>
            /[0-9a-f]{64}/.test(storage),
          ),
        ),
        [],
        'the browser keeps no token',
      );
    },
  );
}

test('shows an operator who is no member a report page without notes on counting', async ({ page }) => {
  await page.goto('/developers');
  await page.getByText('Requests to the API are counted on this server and not stored.').waitFor();
  await page.goto('/operator/revenue');
  await show(page).waitFor();
  await page.getByRole('contentinfo').waitFor();
  assert.equal(await page.getByText('Nothing you count').count(), 0);
});
