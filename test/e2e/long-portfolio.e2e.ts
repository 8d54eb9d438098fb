import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInAllVariants } from '../support/browser.ts';
import { insertTickers } from '../support/many-tickers.ts';
import type { TestService } from '../support/service.ts';
import { shareMember } from './fixtures.ts';
import { type Person, register } from './people.ts';
import { deleteAllInvestments } from './sample-member.ts';

const test = shareMember((page) => register(page));
const HOLDINGS = 120;
const getTable = (page: Page): Locator => page.getByRole('table', { name: 'Holdings' });
const getRow = (page: Page, symbol: string): Locator =>
  getTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: symbol }) });

/** Opens the portfolio of a member with 120 holdings, sorted by name. Returns their symbols in this order. */
async function openLongPortfolio(page: Page, service: TestService, person: Person): Promise<string[]> {
  await deleteAllInvestments(service, person);
  const symbols = await insertTickers(service.database, HOLDINGS);
  await service.database.owner(
    `with made as (
       insert into public.accounts (idp_id, name) select idp_id, 'Brokerage' from public.all_users where email = $1
       returning idp_id, id)
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
     select idp_id, id, symbol, 1 from made, unnest($2::text[]) as symbol`,
    [person.email, symbols],
  );
  await page.goto('/portfolio');
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await getTable(page).getByRole('link').first().waitFor();
  await getTable(page).getByRole('columnheader', { name: 'Holding', exact: true }).getByRole('button').click();
  await page.waitForFunction(() => document.querySelector('[aria-sort="ascending"]')?.textContent === 'Holding');
  return symbols.toSorted();
}

test('shows the figures of a row when a long table is scrolled to it', async ({ page, service, member }) => {
  const symbols = await openLongPortfolio(page, service, member);
  const last = symbols.at(-1)!;
  assert.equal(await getRow(page, last).count(), 0);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await getRow(page, last)
    .getByRole('button', { name: new RegExp(`^Value of ${last} in Brokerage`) })
    .waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), height);
  // The headings of the table and of the group are rows.
  assert.equal(await getRow(page, last).getAttribute('aria-rowindex'), String(HOLDINGS + 2));
  assert.equal(await getTable(page).getAttribute('aria-rowcount'), String(HOLDINGS + 2));
});

test('finds the name of every row by the browser’s search when the table is long', async ({
  page,
  service,
  member,
}) => {
  const symbols = await openLongPortfolio(page, service, member);
  const text = await getTable(page).innerText();
  assert.deepEqual(
    symbols.filter((symbol) => !text.includes(symbol)),
    [],
  );
});

test('reaches every row by Tab when the table is long', { tag: '@slow' }, async ({ page, service, member }) => {
  const symbols = await openLongPortfolio(page, service, member);
  await getTable(page).getByRole('link').first().focus();
  const reached = new Set<string>();
  for (let presses = 0; presses < 1_000 && !reached.has(symbols.at(-1)!); presses += 1) {
    const row = await page.evaluate(
      () => document.activeElement?.closest('[role="row"]')?.querySelector('a')?.textContent,
    );
    if (row) reached.add(row.split(' ')[0]!);
    await page.keyboard.press('Tab');
  }
  assert.deepEqual([...reached], symbols);
});

test('keeps the row with the focus when the table is scrolled away from it', async ({ page, service, member }) => {
  const symbols = await openLongPortfolio(page, service, member);
  const link = getRow(page, symbols[0]!).getByRole('link');
  await link.focus();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await getRow(page, symbols.at(-1)!).waitFor();
  await getRow(page, symbols[10]!).waitFor({ state: 'detached' });
  assert.ok(await link.evaluate((element) => element === document.activeElement));
});

test('prints every row when the table is long', async ({ page, service, member }) => {
  await openLongPortfolio(page, service, member);
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction((count) => document.querySelectorAll('[role="row"] a').length === count, HOLDINGS);
  await page.emulateMedia({ media: 'screen' });
});

test('has no accessibility violations when the table is long', { tag: '@slow' }, async ({ page, service, member }) => {
  await openLongPortfolio(page, service, member);
  await assertAccessibleInAllVariants(page, '/portfolio');
});
