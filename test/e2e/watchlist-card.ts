import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { eventually, eventuallyEquals } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { simulateTabRefocus } from './simulate-tab-refocus.ts';
import { type Person, register } from './people.ts';

/** The list's own address, however its closes are asked for. */
export const WATCHLIST_URL = /\/api\/watchlist(\?|$)/;

/** The card, found as a screen reader finds it. */
export const getCard = (page: Page): Locator => page.getByRole('region', { name: 'Watchlist', exact: true });
export const getSearchField = (page: Page): Locator => page.getByRole('combobox', { name: /^Search/ });
export const getRows = (page: Page): Locator =>
  getCard(page).getByRole('list', { name: 'Watched tickers' }).getByRole('link');

/** The symbols on the card, top to bottom. */
export async function readSymbols(page: Page): Promise<string[]> {
  return (await getRows(page).allTextContents()).map((text) => text.trim());
}

/** Waits until the card shows these symbols in this order. */
export async function waitForRows(page: Page, expected: readonly string[]): Promise<void> {
  await eventuallyEquals(() => readSymbols(page), [...expected]);
}

/** The order that the service has for a member. */
async function readSavedOrder(service: TestService, { email }: Person): Promise<string[]> {
  const saved = await service.database.owner<{ symbol: string }>(
    `select w.symbol from public.watchlist_items w join public.all_users m using (idp_id)
      where m.email = $1 order by w.position, w.created_at, w.id`,
    [email],
  );
  return saved.map(({ symbol }) => symbol);
}

/** Waits until the service has this order. */
export async function waitForSavedOrder(
  service: TestService,
  person: Person,
  expected: readonly string[],
): Promise<void> {
  await eventuallyEquals(() => readSavedOrder(service, person), [...expected]);
}

/** Puts symbols of the catalog at the end of a member's list, as another tab would. */
export async function addToWatchlist(
  service: TestService,
  { email }: Person,
  expected: readonly string[],
): Promise<void> {
  await service.database.owner(
    `insert into public.watchlist_items (idp_id, symbol, position)
     select m.idp_id, s.symbol,
            s.place + (select coalesce(max(w.position), 0) from public.watchlist_items w where w.idp_id = m.idp_id)
       from public.all_users m, unnest($2::text[]) with ordinality as s (symbol, place) where m.email = $1`,
    [email, expected],
  );
}

/** Leaves the dashboard with nothing open over it, nothing said, nothing intercepted and the list in its own order. */
async function resetDashboard(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const dialogs = page.getByRole('dialog');
  await eventually(async () => {
    if ((await dialogs.count()) === 0) return true;
    await page.keyboard.press('Escape');
    return false;
  });
  const done = getCard(page).getByRole('button', { name: 'Done' });
  if (await done.isVisible()) await done.click();
  const notices = page.getByRole('status').getByRole('button', { name: 'Close this notice' });
  await eventually(async () => {
    if ((await notices.count()) === 0) return true;
    await notices.first().click();
    return false;
  });
  const sort = getCard(page).getByRole('combobox', { name: 'Sort' });
  if (await sort.isVisible()) await sort.selectOption('My order');
}

/**
 * Gives a member whose dashboard is open another list, as another tab would; what stands open is closed. Rows beyond
 * the plan are locked: `shown` are the others.
 */
export async function replaceWatchlist(
  page: Page,
  service: TestService,
  person: Person,
  expected: readonly string[],
  shown = expected,
): Promise<void> {
  // Before the list is another one: what is still being saved belongs to the old one.
  await resetDashboard(page);
  await service.database.owner(
    'delete from public.watchlist_items w using public.all_users m where m.idp_id = w.idp_id and m.email = $1',
    [person.email],
  );
  if (expected.length > 0) await addToWatchlist(service, person, expected);
  await refreshAfterRemoteChange(page, shown);
}

/** Comes back to a dashboard whose member has changed the list elsewhere; what stands open is closed. */
export async function refreshAfterRemoteChange(page: Page, expected: readonly string[]): Promise<void> {
  await resetDashboard(page);
  await simulateTabRefocus(page);
  if (expected.length > 0) await waitForRows(page, expected);
  else await getCard(page).getByText('Start your watchlist').waitFor();
}

/** A new member on the dashboard, with these symbols on the list. */
export async function createMemberWith(page: Page, service: TestService, expected: readonly string[]): Promise<Person> {
  const person = await register(page);
  if (expected.length > 0) await addToWatchlist(service, person, expected);
  await page.goto('/dashboard');
  await getCard(page).waitFor();
  if (expected.length > 0) await waitForRows(page, expected);
  return person;
}

/**
 * Loads the page once the service no longer counts the member in: it keeps a flag's answer for five seconds. It is
 * asked as the page asks: to load the page each time took up to eight seconds of processor time.
 */
export async function waitForRolloutEnd(page: Page): Promise<void> {
  const dashboardRequest = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/dashboard');
  await page.reload();
  const { authorization } = await (await dashboardRequest).allHeaders();
  assert.ok(authorization);
  await eventually(async () => {
    // Seldom: each answer is a whole dashboard's.
    await page.waitForTimeout(250);
    const answer = await page.request.get('/api/dashboard', { headers: { authorization } });
    assert.equal(answer.status(), 200);
    return !(await answer.text()).includes('watchlist');
  });
  await page.reload();
}

/** Makes a member's plan another one. */
export async function setTier(service: TestService, { email }: Person, tier: 'free' | 'pro' | 'max'): Promise<void> {
  await service.database.owner(
    tier === 'free'
      ? `delete from public.tier_grants
          where idp_id = (select idp_id from public.all_users where email = $1) and $2 = 'free'`
      : `insert into public.tier_grants (idp_id, tier) select idp_id, $2 from public.all_users where email = $1
         on conflict (idp_id) do update set tier = excluded.tier`,
    [email, tier],
  );
}

/** Symbols of the catalog, so many. */
export async function getCatalogSymbols(service: TestService, count: number): Promise<string[]> {
  const found = await service.database.owner<{ symbol: string }>(
    `select symbol from public.tracked_tickers_latest where asset_type in ('stock', 'etf') order by symbol limit $1`,
    [count],
  );
  assert.equal(found.length, count);
  return found.map(({ symbol }) => symbol);
}

/** Starts the demo tour on the dashboard, and ends when its list is on the card. */
export async function startTour(page: Page): Promise<void> {
  const tourResponse = page.waitForResponse(
    (response) =>
      new URL(response.url()).pathname === '/api/watchlist' && response.request().headers()['x-demo-tour'] === '1',
  );
  await page.getByRole('button', { name: 'Demo tour' }).click();
  await (await tourResponse).finished();
  await getCard(page).getByText('Start your watchlist').waitFor();
}
