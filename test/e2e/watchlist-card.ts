import assert from 'node:assert/strict';
import type { Locator, Page, Request } from '@playwright/test';
import { eventually, eventuallyEquals } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { simulateTabRefocus } from './simulate-tab-refocus.ts';
import { type Person, register } from './people.ts';

/** Matches the list's address with any query. */
export const WATCHLIST_URL = /\/api\/watchlist(\?|$)/;

/** Returns the card by its accessible role and name. */
export const getCard = (page: Page): Locator => page.getByRole('region', { name: 'Watchlist', exact: true });
export const getSearchField = (page: Page): Locator => page.getByRole('combobox', { name: /^Search/ });
export const getRows = (page: Page): Locator =>
  getCard(page).getByRole('list', { name: 'Watched tickers' }).getByRole('link');

/** Returns the symbols on the card from top to bottom. */
export async function readSymbols(page: Page): Promise<string[]> {
  return (await getRows(page).allTextContents()).map((text) => text.trim());
}

/** Waits until the card shows these symbols in this order. */
export async function waitForRows(page: Page, expected: readonly string[]): Promise<void> {
  await eventuallyEquals(() => readSymbols(page), [...expected]);
}

/** Returns a member's order in the service. */
async function readSavedOrder(service: TestService, { email }: Person): Promise<string[]> {
  const saved = await service.database.owner<{ symbol: string }>(
    `select w.symbol from public.watchlist_items w join public.all_users m using (idp_id)
      where m.email = $1 order by w.position, w.created_at, w.id`,
    [email],
  );
  return saved.map(({ symbol }) => symbol);
}

/** Waits until the service has stored this order. */
export async function waitForSavedOrder(
  service: TestService,
  person: Person,
  expected: readonly string[],
): Promise<void> {
  await eventuallyEquals(() => readSavedOrder(service, person), [...expected]);
}

/** Appends symbols of the catalog to a member's list, as another tab would. */
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

/** Resets the dashboard: no open dialog, no notice, no interception, and the list in its own order. */
async function resetDashboard(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const dialogs = page.getByRole('dialog');
  // A dialog with typed text asks on Escape.
  const discard = page.getByRole('button', { name: 'Discard', exact: true });
  await eventually(async () => {
    if ((await dialogs.count()) === 0) return true;
    if (await discard.isVisible()) await discard.click();
    else await page.keyboard.press('Escape');
    return false;
  });
  const done = getCard(page).getByRole('button', { name: 'Done' });
  if (await done.isVisible()) await done.click();
  const notices = page.getByRole('status').getByRole('button', { name: 'Close notification' });
  await eventually(async () => {
    if ((await notices.count()) === 0) return true;
    await notices.first().click();
    return false;
  });
  const sort = getCard(page).getByRole('combobox', { name: 'Sort' });
  if (await sort.isVisible()) await sort.selectOption('My order');
}

/**
 * Replaces the list of a member with an open dashboard, as another tab would, and closes open dialogs. Rows beyond the
 * plan are locked: `shown` lists the others.
 */
export async function replaceWatchlist(
  page: Page,
  service: TestService,
  person: Person,
  expected: readonly string[],
  shown = expected,
): Promise<void> {
  // The reset comes before the new list, since pending changes belong to the old one.
  await resetDashboard(page);
  await service.database.owner(
    'delete from public.watchlist_items w using public.all_users m where m.idp_id = w.idp_id and m.email = $1',
    [person.email],
  );
  if (expected.length > 0) await addToWatchlist(service, person, expected);
  await refreshAfterRemoteChange(page, shown);
}

/** Reads the list again by a return to the tab, repeated because a page reads nothing while a read is in progress. */
export async function rereadWatchlist(page: Page): Promise<void> {
  let read: Request | undefined;
  const recordRead = (request: Request): void => {
    if (request.method() === 'GET' && WATCHLIST_URL.test(request.url())) read ??= request;
  };
  page.on('request', recordRead);
  await eventually(async () => {
    await simulateTabRefocus(page);
    return read !== undefined;
  });
  page.off('request', recordRead);
  await read!.response();
}

/** Refocuses a dashboard after a remote change of the list, and closes open dialogs. */
export async function refreshAfterRemoteChange(page: Page, expected: readonly string[]): Promise<void> {
  await resetDashboard(page);
  await rereadWatchlist(page);
  if (expected.length > 0) await waitForRows(page, expected);
  else await getCard(page).getByText('Start your watchlist').waitFor();
}

/** Creates a new member with these symbols on the list and opens the dashboard. */
export async function createMemberWith(page: Page, service: TestService, expected: readonly string[]): Promise<Person> {
  const person = await register(page);
  if (expected.length > 0) await addToWatchlist(service, person, expected);
  await page.goto('/dashboard');
  await getCard(page).waitFor();
  if (expected.length > 0) await waitForRows(page, expected);
  return person;
}

/**
 * Loads the page once the service excludes the member from the rollout, since it caches a flag for five seconds. The
 * checks repeat only the page's request, since each page load took up to eight seconds of processor time.
 */
export async function waitForRolloutEnd(page: Page): Promise<void> {
  const dashboardRequest = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/home');
  await page.reload();
  const { authorization } = await (await dashboardRequest).allHeaders();
  assert.ok(authorization);
  await eventually(async () => {
    // The pause is long, since each response covers a whole dashboard.
    await page.waitForTimeout(250);
    const answer = await page.request.get('/api/dashboard', { headers: { authorization } });
    assert.equal(answer.status(), 200);
    return !(await answer.text()).includes('watchlist');
  });
  await page.reload();
}

/** Sets a member's plan. */
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

/** Returns this number of symbols of the catalog. */
export async function getCatalogSymbols(service: TestService, count: number): Promise<string[]> {
  const found = await service.database.owner<{ symbol: string }>(
    `select symbol from public.tracked_tickers_latest where asset_type in ('stock', 'etf') order by symbol limit $1`,
    [count],
  );
  assert.equal(found.length, count);
  return found.map(({ symbol }) => symbol);
}

/** Starts the demo tour on the dashboard and waits until the card shows its list. */
export async function startTour(page: Page): Promise<void> {
  const tourResponse = page.waitForResponse(
    (response) =>
      new URL(response.url()).pathname === '/api/watchlist' && response.request().headers()['x-demo-tour'] === '1',
  );
  await page.goto('/dashboard?tour=1');
  await (await tourResponse).finished();
  await getCard(page).getByText('Start your watchlist').waitFor();
}
