import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInAllVariants } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { shareMember } from './fixtures.ts';
import { type Person, register } from './people.ts';
import { deleteAllInvestments } from './sample-member.ts';

const test = shareMember((page) => register(page));
const getTable = (page: Page): Locator => page.getByRole('table', { name: 'Holdings' });
const getTotal = (page: Page): Locator => page.getByRole('region', { name: 'Summary' });
const listSymbols = async (page: Page): Promise<(string | undefined)[]> =>
  (await getTable(page).getByRole('rowheader').allInnerTexts()).map((text) => /AAPL|KO|VTSAX|Bitcoin/.exec(text)?.[0]);

/** Gives a member three listed holdings in two accounts, and a coin in Taiwan dollars, which have no rate. */
async function openPortfolio(page: Page, service: TestService, person: Person): Promise<void> {
  await deleteAllInvestments(service, person);
  await service.database.owner(
    `with made as (
       insert into public.accounts (idp_id, name, kind, currency, created_at)
       select m.idp_id, a.name, a.kind, a.currency, now() + a.place * interval '1 second' from public.all_users m,
              (values ('Brokerage', 'manual', 'USD', 1), ('Retirement', 'manual', 'USD', 2),
                      ('Coins', 'brokerage', 'TWD', 3)) a (name, kind, currency, place)
        where m.email = $1 returning id, idp_id, name
     ), listed as (
       insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
       select m.idp_id, m.id, h.symbol, h.quantity, h.cost from made m
         join (values ('Brokerage', 'AAPL', 1, 100), ('Brokerage', 'KO', 2, null), ('Retirement', 'VTSAX', 50, 2000))
           h (account, symbol, quantity, cost) on h.account = m.name
     )
     insert into public.connected_holdings (idp_id, account_id, external_id, name, quantity, institution_value, currency)
     select m.idp_id, m.id, 'btc', 'Bitcoin', 0.5, 6137.2, 'TWD' from made m where m.name = 'Coins'`,
    [person.email],
  );
  await page.goto('/portfolio');
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await getTable(page).getByText('AAPL').waitFor();
}

test('keeps sorted, grouped and hidden columns after a reload', async ({ page, service, member }) => {
  await openPortfolio(page, service, member);
  assert.deepEqual((await listSymbols(page)).filter(Boolean), ['VTSAX', 'AAPL', 'KO', 'Bitcoin']);
  await page.getByLabel('Group holdings').selectOption('No groups');
  const heading = getTable(page).getByRole('columnheader', { name: 'Holding', exact: true });
  await heading.getByRole('button').press('Enter');
  await page.waitForFunction(() => document.querySelector('[aria-sort="ascending"]')?.textContent === 'Holding');
  await getTable(page).getByRole('rowheader').first().getByText('AAPL').waitFor();
  assert.deepEqual(await listSymbols(page), ['AAPL', 'Bitcoin', 'KO', 'VTSAX']);
  await heading.getByRole('button').press('Enter');
  await getTable(page).getByRole('rowheader').first().getByText('VTSAX').waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Price' }).uncheck();
  await getTable(page).getByRole('columnheader', { name: 'Price' }).waitFor({ state: 'detached' });
  await page.reload();
  await getTable(page).getByText('AAPL').waitFor();
  assert.deepEqual(await listSymbols(page), ['VTSAX', 'KO', 'Bitcoin', 'AAPL']);
  assert.deepEqual(await getTable(page).getByRole('columnheader').allInnerTexts(), [
    'Holding',
    'Day',
    'Value',
    'Gain',
    '% of holdings',
    'Account',
  ]);
});

test('explains the gain of a holding that the catalog does not list', async ({ page, service, member }) => {
  await openPortfolio(page, service, member);
  await service.database.owner(
    `update public.connected_holdings c set cost_basis = 5000 from public.all_users m
      where m.email = $1 and c.idp_id = m.idp_id`,
    [member.email],
  );
  await page.reload();
  const name = 'Gain of Bitcoin in Coins';
  await page.getByTitle(`${name}: show how it came about`).click();
  const popover = page.getByRole('dialog', { name, exact: true });
  await popover.getByText('Cost of Bitcoin in Coins').waitFor();
  assert.match(await popover.innerText(), /\+NT\$1,137\.20.*\+NT\$6,137\.20.*−NT\$5,000\.00/s);
});

test('filters table and totals by the allocation bar', async ({ page, service, member }) => {
  await openPortfolio(page, service, member);
  await getTotal(page).getByText('Not included: NT$6,137.20 (no rate)').waitFor();
  await getTotal(page).getByText('Gain: 1 holding without cost not included.').waitFor();
  await getTable(page).getByTitle('Cost unknown').first().waitFor();
  const option = getTotal(page).getByRole('button', { name: /^Retirement/ });
  await option.press('Enter');
  assert.equal(await option.getAttribute('aria-pressed'), 'true');
  await getTotal(page).getByText('1 of 4 holdings').waitFor();
  await getTable(page).getByText('AAPL').waitFor({ state: 'detached' });
  const groupRow = getTable(page).getByRole('row').filter({ hasText: 'Retirement' });
  const [value] = /\$[\d,.]+/.exec(await groupRow.getByRole('cell').nth(2).innerText())!;
  await getTotal(page).getByText(value, { exact: true }).first().waitFor();
  await option.press('Enter');
  await getTable(page).getByText('AAPL').waitFor();
});

test('returns the focus to the row whose security it opened', async ({ page, service, member }) => {
  await openPortfolio(page, service, member);
  const link = getTable(page).getByRole('link', { name: 'VTSAX' });
  await link.press('Enter');
  await page.getByRole('region', { name: 'Your position' }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'VTSAX in your accounts' });
  await dialog.getByLabel('Quantity').fill('60');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await getTable(page).getByText('× Quantity 60').waitFor();
  assert.ok(await link.evaluate((element) => element === document.activeElement));
});

test(
  'shows every holding as a row without cut figures at 320 px',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await openPortfolio(page, service, member);
    await assertAccessibleInAllVariants(page, '/portfolio');
    await page.setViewportSize({ width: 320, height: 640 });
    const rows = page.getByRole('list', { name: /^Holdings, / }).getByRole('listitem');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 4);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    const cutFigures = await rows.evaluateAll((items) =>
      items
        .flatMap((item) => [...item.querySelectorAll<HTMLElement>('.shrink-0')])
        .filter((figure) => figure.getBoundingClientRect().right > 320 || figure.scrollWidth > figure.clientWidth)
        .map((figure) => figure.innerText),
    );
    assert.deepEqual(cutFigures, []);
    await page.getByLabel('Sort holdings').selectOption('Holding');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Group holdings').selectOption('No groups');
    const list = page.getByRole('list', { name: 'Holdings', exact: true });
    await list.getByRole('listitem').first().getByText('AAPL').waitFor();
  },
);

test('downloads the holdings and the history of net worth as CSV', async ({ page, service, member }) => {
  await openPortfolio(page, service, member);
  for (const [path, menu, name, header] of [
    [
      '/portfolio',
      'More for the portfolio',
      /^holdings-[\d-]+\.csv$/,
      /^\uFEFFaccount,symbol,name,.*\r\nBrokerage,AAPL,/,
    ],
    ['/dashboard', 'More for net worth', /^net-worth-[\d-]+\.csv$/, /^\uFEFFdate,currency,/],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: menu }).click();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await downloaded;
    assert.match(file.suggestedFilename(), name);
    assert.match(await readFile(await file.path(), 'utf8'), header);
  }
});

test('offers the three ways of Home in the same order when there is no holding', async ({ page, service, member }) => {
  await deleteAllInvestments(service, member);
  await page.goto('/portfolio');
  await page.getByRole('heading', { name: 'No holdings yet' }).waitFor();
  const ways = page.getByRole('main').getByRole('listitem');
  assert.deepEqual(
    (await ways.allInnerTexts()).map((text) => text.split('\n')[0]),
    ['Connect an account', 'Add by hand', 'Import a file'],
  );
  const listPlaces = (): Promise<{ x: number; top: number }[]> =>
    ways.evaluateAll((items) =>
      items.map((item) => ({
        x: item.getBoundingClientRect().x,
        top: item.querySelector('.font-medium')!.getBoundingClientRect().top,
      })),
    );
  for (const [width, columns] of [
    [768, 1],
    [1280, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const places = await listPlaces();
    assert.equal(new Set(places.map(({ x }) => x)).size, columns, `columns at ${width} px`);
    assert.equal(new Set(places.map(({ top }) => top)).size, columns === 1 ? 3 : 1, `rows of titles at ${width} px`);
  }
  await ways.nth(1).getByRole('button').click();
  await page.getByRole('dialog', { name: 'Add investment' }).waitFor();
});
