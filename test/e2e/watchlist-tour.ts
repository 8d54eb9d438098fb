import type { Locator, Page, Route } from '@playwright/test';
import type { ActiveItem, Watchlist } from '../../src/features/watchlist/contract.ts';
import type { TestService } from '../support/service.ts';
import { comeBack } from './come-back.ts';
import type { Person } from './people.ts';
import { card, LIST, lookAgain, memberWith, rows, search, showsRows, startTour, watch } from './watchlist-card.ts';

/** Every state of the watchlist that a member can meet. */
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

/** Called in each state with the part of the page that shows it; null where it is the page as it stands. */
type Look = (state: WatchlistState, shown: Locator | null) => Promise<void>;

const SEVEN = ['AAPL', 'NVDA', 'KO', 'VOO', 'VOD.L', 'VFIAX', '91282CBL4'];
const THIRTEEN = ['MSFT', 'AMZN', 'GOOGL', 'META', 'TSLA', 'AMD', 'AVGO', 'ORCL', 'ADBE', 'COST', 'JPM', 'DIS', 'LLY'];
const THREE = ['XOM', 'SPY', 'QQQ'];

/** What a visit to every state causes on purpose. */
export const expectedOnTour = [/answer 503/, /status of 503/, /net::ERR/];

/** Leads a new member through every state: what stands in one is what the next begins with. */
export async function tourWatchlist(page: Page, service: TestService, look: Look): Promise<void> {
  const person = await memberWith(page, service, []);
  await start(page, look);
  await fill(page, service, person, look);
  await partial(page, look);
  await change(page, look);
  await detail(page, look);
  await faults(page, look);
  await limits(page, service, person, look);
}

const dialog = (page: Page): Locator => page.getByRole('dialog');

/** What a list without a ticker shows. */
async function start(page: Page, look: Look): Promise<void> {
  await card(page).getByRole('option').first().waitFor();
  await look('empty', card(page));
  await startTour(page);
  await card(page).getByRole('option', { name: /Apple/ }).click();
  await page.getByText('Apple was not added. Edits are switched off in the demo.').waitFor();
  await card(page).getByText('Start your watchlist').waitFor();
  await look('demo', null);
  await page.getByRole('button', { name: 'Close this notice' }).click();
  await page.getByRole('button', { name: 'End tour' }).click();
  await page.getByRole('button', { name: 'End tour' }).waitFor({ state: 'detached' });
  await card(page).getByRole('option').first().waitFor();
}

/** A list that comes late. Whose dashboard may hold nothing sees no card before the list has come. */
async function fill(page: Page, service: TestService, person: Person, look: Look): Promise<void> {
  await hold(service, person, 'AAPL');
  await watch(service, person, SEVEN);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const waiting = async (route: Route): Promise<void> => {
    await released;
    await route.fallback();
  };
  await page.route(LIST, waiting);
  await page.reload();
  await card(page).locator('.skeleton').first().waitFor();
  await look('loading', card(page));
  release();
  await showsRows(page, SEVEN);
  await page.unroute(LIST, waiting);
  await look('list', card(page));
}

/** A list of which not everything is known yet: a price that is late, two weeks of closes, none, no price. */
async function partial(page: Page, look: Look): Promise<void> {
  const known: Readonly<Record<string, Partial<ActiveItem>>> = {
    AAPL: { delayed_minutes: 15 },
    KO: { closes: null },
    VOO: { price: null, change_1d: null, change_amount: null, prev_close: null, price_at: null, closes: null },
  };
  const half = async (route: Route): Promise<void> => {
    // In pairs, which the page reads too.
    const response = await route.fetch({ url: new URL('/api/watchlist', route.request().url()).href });
    const list = (await response.json()) as Watchlist;
    const items = list.items.map((item) =>
      item.locked
        ? item
        : {
            ...item,
            ...(item.symbol === 'NVDA' && { closes: item.closes?.slice(-10) ?? null }),
            ...known[item.symbol],
          },
    );
    await route.fulfill({ response, json: { ...list, items } });
  };
  const late = card(page).getByText('up to 15 min late');
  await page.route(LIST, half);
  await comeBack(page);
  await late.waitFor();
  await look('partial', card(page));
  await page.unroute(LIST, half);
  await comeBack(page);
  await late.waitFor({ state: 'detached' });
}

/** Searching, editing, bringing in. */
async function change(page: Page, look: Look): Promise<void> {
  await card(page).getByRole('button', { name: 'Add tickers' }).click();
  await search(page).fill('vanguard');
  await card(page)
    .getByRole('option', { name: /Vanguard/ })
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await look('search', card(page));
  await card(page).getByRole('button', { name: 'Done' }).click();
  await card(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await dialog(page)
    .getByRole('button', { name: /^Move Apple/ })
    .waitFor();
  await look('edit', dialog(page));
  await dialog(page)
    .getByRole('button', { name: /^Move Apple/ })
    .click();
  await page.getByText('Move to bottom').waitFor();
  await look('move-menu', null);
  await page.keyboard.press('Escape');
  await page.getByText('Move to bottom').waitFor({ state: 'hidden' });
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await card(page).getByRole('button', { name: 'More' }).click();
  await card(page).getByRole('button', { name: 'Import tickers' }).click();
  await dialog(page).getByRole('textbox').fill('MSFT\nNASDAQ:AMZN\nAAPL\nBTC-USD\nNOSUCHSYMBOL');
  await dialog(page).getByRole('button', { name: 'Preview' }).click();
  await dialog(page).getByRole('region', { name: 'Preview' }).getByText('not found').waitFor();
  await look('import', dialog(page));
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

async function openDetail(page: Page): Promise<void> {
  await rows(page).first().click();
  await dialog(page).getByText('52-week range').waitFor();
  await dialog(page).getByRole('region', { name: 'Your position' }).waitFor();
}

async function closeDetail(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

async function detail(page: Page, look: Look): Promise<void> {
  await openDetail(page);
  await look('panel', dialog(page));
  await dialog(page).getByRole('button', { name: 'View as table' }).click();
  await dialog(page).getByRole('table').waitFor();
  await look('panel-table', dialog(page));
  await closeDetail(page);
  await page.getByRole('button', { name: 'Privacy mode' }).click();
  await openDetail(page);
  await look('privacy', dialog(page));
  await closeDetail(page);
  await page.getByRole('button', { name: 'Privacy mode' }).click();
}

/** Where one row is moved. */
const aRow = /\/api\/watchlist\/[0-9a-f-]{36}$/;

/** A change that is refused, no connection, and a list that cannot be read. */
async function faults(page: Page, look: Look): Promise<void> {
  const refuse = (route: Route): Promise<void> =>
    route.fulfill({
      status: 503,
      json: { code: 'TIER_UNAVAILABLE', message: 'Your plan cannot be looked up right now; try again shortly.' },
    });
  await page.route(aRow, refuse);
  await card(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await dialog(page)
    .getByRole('button', { name: /^Move Apple/ })
    .click();
  await page.getByText('Move down').click();
  await dialog(page).getByText('The order was not saved. Your plan cannot be looked up right now').waitFor();
  await look('refused', null);
  await dialog(page).getByRole('button', { name: 'Close this notice' }).click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.unroute(aRow, refuse);
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await card(page).scrollIntoViewIfNeeded();
  await look('offline', null);
  await page.context().setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  await page.route(LIST, refuse);
  await page.reload();
  await card(page).getByRole('button', { name: 'Try again' }).waitFor();
  await look('error', card(page));
  await page.unroute(LIST, refuse);
  await card(page).getByRole('button', { name: 'Try again' }).click();
  await showsRows(page, SEVEN);
}

/** A full list, and one that is longer than the plan. */
async function limits(page: Page, service: TestService, person: Person, look: Look): Promise<void> {
  await watch(service, person, THIRTEEN);
  await lookAgain(page, [...SEVEN, ...THIRTEEN]);
  await card(page).getByRole('button', { name: 'Add tickers' }).click();
  await card(page).getByText('Watchlist full, 20 of 20.').waitFor();
  await look('full', card(page));
  await watch(service, person, THREE);
  await lookAgain(page, [...SEVEN, ...THIRTEEN]);
  await card(page).getByText('3 more saved tickers are locked').waitFor();
  await look('locked', card(page));
  await card(page).getByRole('button', { name: 'Choose which 20' }).click();
  await page.getByText('Active above this line (20)').scrollIntoViewIfNeeded();
  await look('choose', dialog(page));
}

/** Gives a member ten of a stock, in an account of their own. */
async function hold(service: TestService, { email }: Person, symbol: string): Promise<void> {
  await service.database.owner(
    `with mine as (insert into public.accounts (idp_id, name)
       select idp_id, 'Brokerage' from public.all_users where email = $1 returning id, idp_id)
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     select idp_id, id, $2, 10, 1500 from mine`,
    [email, symbol],
  );
}
