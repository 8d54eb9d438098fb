import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import type { EarningsResponse } from '../../src/features/portfolio/dashboard/contract.ts';
import type { Watchlist, WatchedEarnings } from '../../src/features/watchlist/contract.ts';
import { themes } from '../support/browser.ts';
import { findClippedTexts } from '../support/clipped-texts.ts';
import type { TestService } from '../support/service.ts';
import { test, type Visit } from './fixtures.ts';
import { openSampleDashboard } from './sample-member.ts';
import {
  getCard,
  WATCHLIST_URL,
  getRows,
  getSearchField,
  readSymbols as shownSymbols,
  addToWatchlist,
} from './watchlist-card.ts';
import { getHoldings } from './home-holdings.ts';

/** Widths in CSS pixels: phones, tablets and windows. 640 and 320 are also a window of 1280 at 200 % and 400 % zoom. */
const WIDTHS = [320, 360, 390, 640, 768, 1024, 1280, 1920];
/** The widest symbols and names: bonds by number, a class of shares, listings of other markets, the longest names. */
const WIDEST_ITEM = [
  'BRK.B',
  'TEVA.TA',
  'NPN.JO',
  'HSBA.L',
  '91282CLW9',
  '912810SP4',
  'VTIAX',
  'CWGIX',
  'GOOGL',
  'SPY',
];

/** Returns the clipped and overlapping texts at all widths. */
async function findFaultsAtWidths(page: Page, screen: string, symbols: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    // The height shows every row, also in a dialog.
    await page.setViewportSize({ width, height: 3200 });
    // A card whose width has changed is drawn in its other form in the frame after.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    for (const fault of await findClippedTexts(page, symbols)) faults.push(`${screen}, ${width} px: ${fault}`);
  }
  return faults;
}

/** Returns prices of four and six digits, and a report within a week in every row that can have one. */
async function serveWidestData(page: Page): Promise<void> {
  await page.route(WATCHLIST_URL, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const list = (await (await route.fetch()).json()) as Watchlist;
    const items = list.items.map((item, index) =>
      item.locked || item.asset_type === 'bond'
        ? item
        : {
            ...item,
            price: index % 3 === 0 ? 735_480.5 : 1_000 + index / 7,
            change_1d: -12.34,
            change_amount: -1_234.56,
          },
    );
    await route.fulfill({ json: { ...list, items } });
  });
  const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await page.route(/\/api\/earnings$/, async (route) => {
    const response = (await (await route.fetch()).json()) as EarningsResponse;
    const worst = { date: soon, market_days: 1, chip: 'Tmrw', when: 'bmo', watching: true, held: false } as const;
    await route.fulfill({
      json: { ...response, earnings: response.earnings.map((report) => ({ ...report, ...worst })) },
    });
  });
  await page.route('**/api/watchlist/earnings', async (route) => {
    const response = (await (await route.fetch()).json()) as WatchedEarnings;
    await route.fulfill({
      json: {
        ...response,
        earnings: response.earnings.map((report) => ({ ...report, date: soon, market_days: 1, chip: 'Tmrw' as const })),
      },
    });
  });
}

/** Light, and with `ALL_WIDTHS=on npm run test:slow -- widths` also dark. */
const walkedThemes = process.env['ALL_WIDTHS'] === 'on' ? themes : themes.slice(0, 1);

for (const theme of walkedThemes)
  test(
    `clips no symbol and overlaps nothing on a member’s pages at any width, ${theme}`,
    { tag: '@slow' },
    ({ service, visit }) => compareBoxes(visit, service, theme),
  );

async function compareBoxes(visit: Visit, service: TestService, theme: (typeof themes)[number]): Promise<void> {
  const page = await visit({ theme });
  const person = await openSampleDashboard(page, service, 'max');
  await getRows(page).first().waitFor();
  const seeded = await shownSymbols(page);
  await addToWatchlist(
    service,
    person,
    WIDEST_ITEM.filter((symbol) => !seeded.includes(symbol)),
  );
  await serveWidestData(page);
  await page.reload();
  await getRows(page).getByText('TEVA.TA').waitFor();
  await getCard(page).getByText('Tmrw').first().waitFor();
  await page.waitForFunction(() => document.querySelector('main .skeleton') === null);
  const symbols = await shownSymbols(page);
  const faults = await findFaultsAtWidths(page, 'dashboard', symbols);

  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getSearchField(page).fill('treasury');
  await getCard(page).getByRole('option').first().waitFor();
  faults.push(...(await findFaultsAtWidths(page, 'search', symbols)));
  await getCard(page).getByRole('button', { name: 'Done' }).click();

  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit watchlist' });
  await edit.getByRole('listitem').first().waitFor();
  faults.push(...(await findFaultsAtWidths(page, 'edit', symbols)));
  await page.keyboard.press('Escape');
  await edit.waitFor({ state: 'detached' });

  for (const symbol of ['AAPL', '91282CLW9', 'VTIAX']) {
    await getRows(page).getByText(symbol, { exact: true }).click();
    const panel = page.locator('dialog[open]');
    await panel.getByRole('button', { name: 'Remove' }).waitFor();
    faults.push(...(await findFaultsAtWidths(page, `panel of ${symbol}`, symbols)));
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  }

  for (const path of MEMBER_PAGES) faults.push(...(await findPageFaults(page, path, symbols)));
  assert.deepEqual(faults, []);
}

test('shows range, volume and market cap when the list is at least 896 pixels wide', async ({ page, service }) => {
  await openSampleDashboard(page, service, 'pro');
  const row = getCard(page).getByRole('listitem').filter({ hasText: 'NVDA' });
  await row.waitFor();
  for (const [width, visible] of [
    [768, false],
    [1280, true],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    for (const label of ['Month', 'Volume', 'Market cap'])
      await row.getByText(label, { exact: true }).waitFor({ state: visible ? 'visible' : 'hidden' });
  }
});

const MEMBER_PAGES = [
  '/portfolio',
  '/watchlist',
  '/assistant',
  '/developers',
  '/developers/playground',
  '/privacy',
  '/terms',
  '/plans',
  '/plans/return',
  '/connections/return',
  '/settings',
  '/settings/security',
  '/settings/connections',
  '/settings/billing',
  '/settings/api-keys',
  '/settings/assistant',
  '/settings/invite',
  '/',
  '/demo-access',
];
const VISITOR_PAGES = [
  '/',
  '/developers',
  '/developers/playground',
  '/privacy',
  '/terms',
  '/sign-in',
  '/sign-up',
  '/sign-up?ref=Qm7XvT3kWz9B',
  '/no/such/page',
  '/demo-access',
];

async function findPageFaults(page: Page, path: string, symbols: readonly string[] = []): Promise<string[]> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector('main .skeleton') === null);
  return findFaultsAtWidths(page, path, symbols);
}

for (const theme of walkedThemes) {
  test(
    `overlaps no box in the dialogs of the dashboard at any width, ${theme}`,
    { tag: '@slow' },
    async ({ service, visit }) => {
      const page = await visit({ theme });
      await openSampleDashboard(page, service, 'max');
      await getHoldings(page).waitFor();
      const faults: string[] = [];
      const dialog = page.locator('dialog[open]');
      const dialogs = {
        'Add investment': () => dialog.getByRole('combobox', { name: 'Security' }).waitFor(),
        Accounts: () => dialog.getByRole('list', { name: 'Your accounts' }).waitFor(),
        Import: () => dialog.getByLabel('Or paste rows').waitFor(),
      };
      for (const [name, isOpen] of Object.entries(dialogs)) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.getByRole('button', { name, exact: true }).first().click();
        await isOpen();
        faults.push(...(await findFaultsAtWidths(page, name, [])));
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
      await page.keyboard.press('/');
      await dialog.getByRole('combobox', { name: 'Search securities, pages and actions' }).fill('a');
      await dialog.getByRole('option').first().waitFor();
      faults.push(...(await findFaultsAtWidths(page, 'search of securities, pages and actions', [])));
      assert.deepEqual(faults, []);
    },
  );

  test(
    `overlaps no box on the pages for visitors and operators at any width, ${theme}`,
    { tag: '@slow' },
    async ({ service, visit }) => {
      const page = await visit({ theme });
      const faults: string[] = [];
      for (const path of VISITOR_PAGES) faults.push(...(await findPageFaults(page, path)));
      faults.push(...(await findPageFaults(page, '/operator/revenue')));
      const token = page.getByRole('textbox', { name: 'Operator’s token' });
      await token.fill(service.firstRun.revenue_operator_token!);
      await token.press('Enter');
      await page.getByRole('heading', { name: 'Movements by month' }).waitFor();
      faults.push(...(await findFaultsAtWidths(page, 'the revenue report', [])));
      assert.deepEqual(faults, []);
    },
  );
}
