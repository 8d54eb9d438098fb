import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInAllVariants, sizes } from '../support/browser.ts';
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
    .filter({ has: page.getByRole('link', { name: new RegExp(`^${symbol} `) }) });

/** Gives a member 120 holdings, every second one in a second account. Returns their symbols. */
async function addHoldings(service: TestService, person: Person): Promise<string[]> {
  await deleteAllInvestments(service, person);
  const symbols = await insertTickers(service.database, HOLDINGS);
  await service.database.owner(
    `with made as (
       insert into public.accounts (idp_id, name)
       select idp_id, name from public.all_users, unnest(array['Brokerage', 'Retirement']) as name where email = $1
       returning idp_id, id, name)
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
     select m.idp_id, m.id, s.symbol, 1 from unnest($2::text[]) with ordinality as s (symbol, place)
       join made m on m.name = case when s.place % 2 = 0 then 'Brokerage' else 'Retirement' end`,
    [person.email, symbols],
  );
  return symbols;
}

/** Opens the portfolio of a member with 120 holdings. Returns their symbols in the order of the table. */
async function openLongPortfolio(page: Page, service: TestService, person: Person): Promise<string[]> {
  const symbols = await addHoldings(service, person);
  await page.setViewportSize(sizes.desktop);
  await page.goto('/portfolio');
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await getTable(page).getByRole('link').first().waitFor();
  await page.getByLabel('Group holdings').selectOption('No groups');
  await getTable(page).getByRole('columnheader', { name: 'Holding', exact: true }).getByRole('button').click();
  await getRow(page, symbols.toSorted()[0]!).waitFor();
  return symbols.toSorted();
}

const scrollToEnd = (page: Page): Promise<void> =>
  page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
const getPageHeight = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight);

test('shows the figures of a row when a long table is scrolled to it', async ({ page, service, member }) => {
  const symbols = await openLongPortfolio(page, service, member);
  const last = symbols.at(-1)!;
  assert.equal(await getRow(page, last).count(), 0);
  const height = await getPageHeight(page);
  await scrollToEnd(page);
  await getRow(page, last)
    .getByRole('button', { name: new RegExp(`^Value of ${last} in `) })
    .waitFor();
  assert.equal(await getPageHeight(page), height);
  // The headings are a row.
  assert.equal(await getRow(page, last).getAttribute('aria-rowindex'), String(HOLDINGS + 1));
  assert.equal(await getTable(page).getAttribute('aria-rowcount'), String(HOLDINGS + 1));
});

test('numbers the rows of all groups when a long table is grouped', async ({ page, service, member }) => {
  await openLongPortfolio(page, service, member);
  await page.getByLabel('Group holdings').selectOption('By account');
  await getTable(page)
    .getByRole('row', { name: /^(Brokerage|Retirement)/ })
    .first()
    .waitFor();
  await scrollToEnd(page);
  const count = HOLDINGS + 3;
  assert.equal(await getTable(page).getAttribute('aria-rowcount'), String(count));
  await getTable(page).locator(`[aria-rowindex="${count}"]`).getByRole('link').waitFor();
  const height = await getPageHeight(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await getTable(page).locator(`[aria-rowindex="${count}"]`).waitFor({ state: 'detached' });
  assert.equal(await getPageHeight(page), height);
});

test('has the name of every row as text when the table is long', async ({ page, service, member }) => {
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
  await scrollToEnd(page);
  await getRow(page, symbols.at(-1)!).waitFor();
  await getRow(page, symbols[10]!).waitFor({ state: 'detached' });
  assert.ok(await link.evaluate((element) => element === document.activeElement));
});

test('prints every row when the table is long', async ({ page, service, member }) => {
  await openLongPortfolio(page, service, member);
  await page.evaluate(() => {
    addEventListener('beforeprint', () =>
      queueMicrotask(() => {
        document.title = String(document.querySelectorAll('[role="row"] a').length);
      }),
    );
  });
  await page.pdf();
  assert.equal(await page.title(), String(HOLDINGS));
  await page.waitForFunction((count) => document.querySelectorAll('[role="row"] a').length < count, HOLDINGS);
});

test('shows every row of a long list on a phone', async ({ page, service, member }) => {
  await openLongPortfolio(page, service, member);
  await page.setViewportSize(sizes.phone);
  const rows = page.getByRole('list', { name: 'Holdings' }).getByRole('listitem');
  await rows.first().waitFor();
  assert.equal(await rows.first().getAttribute('aria-setsize'), String(HOLDINGS));
  assert.ok((await rows.count()) < HOLDINGS);
  // A new entry of the history has no position to return to.
  await page.goto('/dashboard');
  await page.goto('/portfolio');
  await rows.first().waitFor();
  await scrollToEnd(page);
  await page.locator(`[aria-posinset="${HOLDINGS}"]`).waitFor();
  // Rows that are measured change the height of the page, which keeps its position.
  await page.evaluate(() => window.scrollTo(0, 3_000));
  await page.locator(`[aria-posinset="${HOLDINGS}"]`).waitFor({ state: 'detached' });
  const position = await page.evaluate(() => scrollY);
  assert.ok(Math.abs(position - 3_000) < 300, `the page is at ${position}`);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Show all 120 holdings' }).click();
  await rows.nth(11).waitFor();
  const borders = await rows.evaluateAll((items) =>
    items.map((item) => getComputedStyle(item).borderTopColor).map((color) => /,\s*0\)$|\/ 0\)$/.test(color)),
  );
  assert.deepEqual(borders.slice(0, 12), [true, ...Array.from({ length: 11 }, () => false)]);
});

test('has no accessibility violations when the table is long', { tag: '@slow' }, async ({ page, service, member }) => {
  await openLongPortfolio(page, service, member);
  await assertAccessibleInAllVariants(page, '/portfolio');
});
