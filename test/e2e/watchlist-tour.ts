import type { Locator, Page, Route } from '@playwright/test';
import type { ActiveItem, Watchlist } from '../../src/features/watchlist/contract.ts';
import type { TestService } from '../support/service.ts';
import type { Person } from './people.ts';
import {
  getCard,
  WATCHLIST_URL,
  refreshAfterRemoteChange,
  rereadWatchlist,
  createMemberWith,
  getRows,
  getSearchField,
  waitForRows,
  startTour,
  addToWatchlist,
} from './watchlist-card.ts';

/** Every state of the watchlist that a member can see. */
export const states = [
  'empty',
  'demo',
  'loading',
  'list',
  'partial',
  'search',
  'edit',
  'move-menu',
  'import',
  'panel',
  'panel-table',
  'privacy',
  'refused',
  'offline',
  'error',
  'full',
  'locked',
  'choose',
] as const;
type WatchlistState = (typeof states)[number];

/** Called in each state with the part of the page that shows it, or null for the whole page. */
type CheckState = (state: WatchlistState, shown: Locator | null) => Promise<void>;

const SEVEN = ['AAPL', 'NVDA', 'KO', 'VOO', 'VOD.L', 'VFIAX', '91282CBL4'];
const THIRTEEN = ['MSFT', 'AMZN', 'GOOGL', 'META', 'TSLA', 'AMD', 'AVGO', 'ORCL', 'ADBE', 'COST', 'JPM', 'DIS', 'LLY'];
const THREE = ['XOM', 'SPY', 'QQQ'];

/** Browser errors that the tour causes on purpose. */
export const expectedOnTour = [/answer 503/, /status of 503/, /net::ERR/];

/** Visits every state with a new member. Each state is the start of the next one. */
export async function tourWatchlist(page: Page, service: TestService, check: CheckState): Promise<void> {
  const person = await createMemberWith(page, service, []);
  await tourStart(page, check);
  await tourAdding(page, service, person, check);
  await tourPartialData(page, check);
  await tourEditing(page, check);
  await tourDetail(page, check);
  await tourFaults(page, check);
  await tourLimits(page, service, person, check);
}

const dialog = (page: Page): Locator => page.getByRole('dialog');

/** Visits the states of an empty list. */
async function tourStart(page: Page, check: CheckState): Promise<void> {
  await getCard(page).getByRole('option').first().waitFor();
  await check('empty', getCard(page));
  await startTour(page);
  await getCard(page).getByRole('option', { name: /Apple/ }).click();
  await page.getByText('Could not add Apple. The sample cannot be changed.').waitFor();
  await getCard(page).getByText('Start your watchlist').waitFor();
  await check('demo', null);
  await page.getByRole('button', { name: 'Close notification' }).click();
  await page.getByRole('button', { name: 'End sample' }).click();
  await page.getByRole('button', { name: 'End sample' }).waitFor({ state: 'detached' });
  await getCard(page).getByRole('option').first().waitFor();
}

/**
 * Visits a list that loads late, and the states of an add. A member with possibly no data sees no card before the list
 * has loaded.
 */
async function tourAdding(page: Page, service: TestService, person: Person, check: CheckState): Promise<void> {
  await insertHolding(service, person, 'AAPL');
  await addToWatchlist(service, person, SEVEN);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holdUntilReleased = async (route: Route): Promise<void> => {
    await released;
    await route.fallback();
  };
  await page.route(WATCHLIST_URL, holdUntilReleased);
  await page.reload();
  await getCard(page).locator('.skeleton').first().waitFor();
  await check('loading', getCard(page));
  release();
  await waitForRows(page, SEVEN);
  await page.unroute(WATCHLIST_URL, holdUntilReleased);
  await check('list', getCard(page));
}

/** Visits a list with partial data: a late price, two weeks of closes, no closes, no price. */
async function tourPartialData(page: Page, check: CheckState): Promise<void> {
  const overridesBySymbol: Readonly<Record<string, Partial<ActiveItem>>> = {
    AAPL: { delayed_minutes: 15 },
    KO: { closes: null },
    VOO: { price: null, change_1d: null, change_amount: null, prev_close: null, price_at: null, closes: null },
  };
  const partialResponse = async (route: Route): Promise<void> => {
    // The page reads closes as pairs.
    const response = await route.fetch({ url: new URL('/api/watchlist', route.request().url()).href });
    const list = (await response.json()) as Watchlist;
    const items = list.items.map((item) =>
      item.locked
        ? item
        : {
            ...item,
            ...(item.symbol === 'NVDA' && { closes: item.closes?.slice(-10) ?? null }),
            ...overridesBySymbol[item.symbol],
          },
    );
    await route.fulfill({ response, json: { ...list, items } });
  };
  const isLate = getCard(page).getByText('delayed up to 15 min');
  await page.route(WATCHLIST_URL, partialResponse);
  await rereadWatchlist(page);
  await isLate.waitFor();
  await check('partial', getCard(page));
  await page.unroute(WATCHLIST_URL, partialResponse);
  await rereadWatchlist(page);
  await isLate.waitFor({ state: 'detached' });
}

/** Visits search, editor and import. */
async function tourEditing(page: Page, check: CheckState): Promise<void> {
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getSearchField(page).fill('vanguard');
  await getCard(page)
    .getByRole('option', { name: /Vanguard/ })
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await check('search', getCard(page));
  await getCard(page).getByRole('button', { name: 'Done' }).click();
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await dialog(page)
    .getByRole('button', { name: /^Move Apple/ })
    .waitFor();
  await check('edit', dialog(page));
  await dialog(page)
    .getByRole('button', { name: /^Move Apple/ })
    .click();
  await page.getByText('Move to bottom').waitFor();
  await check('move-menu', null);
  await page.keyboard.press('Escape');
  await page.getByText('Move to bottom').waitFor({ state: 'hidden' });
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await getCard(page).getByRole('button', { name: 'More' }).click();
  await getCard(page).getByRole('button', { name: 'Import tickers' }).click();
  await dialog(page).getByRole('textbox').fill('MSFT\nNASDAQ:AMZN\nAAPL\nBTC-USD\nNOSUCHSYMBOL');
  await dialog(page).getByRole('button', { name: 'Preview' }).click();
  await dialog(page).getByRole('region', { name: 'Preview' }).getByText('not found').waitFor();
  await check('import', dialog(page));
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

async function openDetail(page: Page): Promise<void> {
  await getRows(page).first().click();
  await dialog(page).getByText('52-week range').waitFor();
  await dialog(page).getByRole('region', { name: 'Your position' }).waitFor();
}

async function closeDetail(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

async function tourDetail(page: Page, check: CheckState): Promise<void> {
  await openDetail(page);
  await check('panel', dialog(page));
  await dialog(page).getByRole('button', { name: 'View as table' }).click();
  await dialog(page).getByRole('table').waitFor();
  await check('panel-table', dialog(page));
  await closeDetail(page);
  await page.getByRole('button', { name: 'Privacy mode' }).click();
  await openDetail(page);
  await check('privacy', dialog(page));
  await closeDetail(page);
  await page.getByRole('button', { name: 'Privacy mode' }).click();
}

/** Matches the address that moves one row. */
const aRow = /\/api\/watchlist\/[0-9a-f-]{36}$/;

/** Visits a rejected change, a lost connection, and a list that cannot be read. */
async function tourFaults(page: Page, check: CheckState): Promise<void> {
  const rejectWith = (route: Route): Promise<void> =>
    route.fulfill({
      status: 503,
      json: { code: 'TIER_UNAVAILABLE', message: 'Your plan cannot be looked up right now; try again shortly.' },
    });
  await page.route(aRow, rejectWith);
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await dialog(page)
    .getByRole('button', { name: /^Move Apple/ })
    .click();
  await page.getByText('Move down').click();
  await dialog(page).getByText('Could not save the order. Your plan cannot be looked up right now').waitFor();
  await check('refused', null);
  await dialog(page).getByRole('button', { name: 'Close notification' }).click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.unroute(aRow, rejectWith);
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await getCard(page).scrollIntoViewIfNeeded();
  await check('offline', null);
  await page.context().setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  await page.route(WATCHLIST_URL, rejectWith);
  await page.reload();
  await getCard(page).getByRole('button', { name: 'Try again' }).waitFor();
  await check('error', getCard(page));
  await page.unroute(WATCHLIST_URL, rejectWith);
  await getCard(page).getByRole('button', { name: 'Try again' }).click();
  await waitForRows(page, SEVEN);
}

/** Visits a full list and a list beyond its plan. */
async function tourLimits(page: Page, service: TestService, person: Person, check: CheckState): Promise<void> {
  await addToWatchlist(service, person, THIRTEEN);
  await refreshAfterRemoteChange(page, [...SEVEN, ...THIRTEEN]);
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getCard(page).getByText('Watchlist full, 20 of 20.').waitFor();
  await check('full', getCard(page));
  await addToWatchlist(service, person, THREE);
  await refreshAfterRemoteChange(page, [...SEVEN, ...THIRTEEN]);
  await getCard(page).getByText('3 more saved tickers are locked').waitFor();
  await check('locked', getCard(page));
  await getCard(page).getByRole('button', { name: 'Choose which 20' }).click();
  await page.getByText('Active above this line (20)').scrollIntoViewIfNeeded();
  await check('choose', dialog(page));
}

/** Adds ten shares of a stock in a new account of a member. */
async function insertHolding(service: TestService, { email }: Person, symbol: string): Promise<void> {
  await service.database.owner(
    `with mine as (insert into public.accounts (idp_id, name)
       select idp_id, 'Brokerage' from public.all_users where email = $1 returning id, idp_id)
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     select idp_id, id, $2, 10, 1500 from mine`,
    [email, symbol],
  );
}
