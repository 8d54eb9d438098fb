import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInAllVariants } from '../support/browser.ts';
import { eventually, eventuallyEquals } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { shareMember, test as separateTest } from './fixtures.ts';
import { type Person, register } from './people.ts';
import { addToWatchlist, getCatalogSymbols, waitForSavedOrder } from './watchlist-card.ts';

const test = shareMember((page) => register(page));
const getTable = (page: Page): Locator => page.getByRole('table', { name: 'Watched tickers' });
const getLinks = (page: Page): Locator => getTable(page).getByRole('rowheader').getByRole('link');
const waitForOrder = (page: Page, symbols: readonly string[]): Promise<void> =>
  eventuallyEquals(() => getLinks(page).allTextContents(), [...symbols]);
const pressHeading = (page: Page, name: string): Promise<void> =>
  getTable(page).getByRole('columnheader', { name, exact: true }).getByRole('button').press('Enter');

/** Replaces the list of a member and opens the page. */
async function openWatchlist(
  page: Page,
  service: TestService,
  person: Person,
  symbols: readonly string[],
): Promise<void> {
  await service.database.owner(
    'delete from public.watchlist_items w using public.all_users m where m.idp_id = w.idp_id and m.email = $1',
    [person.email],
  );
  await addToWatchlist(service, person, symbols);
  await page.goto('/watchlist');
  await getLinks(page).first().waitFor();
}

test('sorts by its headings, shares the menu of the card and keeps the order', async ({ page, service, member }) => {
  await openWatchlist(page, service, member, ['MSFT', 'VTSAX', 'AAPL']);
  await waitForOrder(page, ['MSFT', 'VTSAX', 'AAPL']);
  await pressHeading(page, 'Ticker');
  await waitForOrder(page, ['AAPL', 'MSFT', 'VTSAX']);
  assert.equal(await page.getByRole('combobox', { name: 'Sort' }).inputValue(), 'name');
  await pressHeading(page, 'Volume');
  // A fund has no volume.
  await eventuallyEquals(async () => (await getLinks(page).allTextContents()).at(-1), 'VTSAX');
  const heading = getTable(page).getByRole('columnheader', { name: 'Volume' });
  assert.equal(await heading.getAttribute('aria-sort'), 'descending');
  await getTable(page).getByTitle('No volume known').waitFor();
  await page.reload();
  await heading.waitFor();
  assert.equal(await heading.getAttribute('aria-sort'), 'descending');
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('My order');
  await waitForOrder(page, ['MSFT', 'VTSAX', 'AAPL']);
});

test('edits by keyboard with undo as the card does', async ({ page, service, member }) => {
  await openWatchlist(page, service, member, ['MSFT', 'VOO', 'KO']);
  await getLinks(page).first().focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'VOO');
  await page.getByRole('button', { name: 'Edit watchlist' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit watchlist' });
  await editor.getByRole('button', { name: 'Remove Vanguard S&P 500 ETF' }).click();
  await waitForSavedOrder(service, member, ['MSFT', 'KO']);
  await editor.getByRole('button', { name: 'Undo' }).click();
  await waitForSavedOrder(service, member, ['MSFT', 'VOO', 'KO']);
  await editor.getByRole('button', { name: 'Done' }).click();
  await waitForOrder(page, ['MSFT', 'VOO', 'KO']);
});

test('shows rows past the limit under the notice', { tag: '@slow' }, async ({ page, service, member }) => {
  await openWatchlist(page, service, member, await getCatalogSymbols(service, 22));
  await page.getByText('2 more saved tickers are locked').waitFor();
  assert.equal(await getLinks(page).count(), 20);
  await page.getByRole('button', { name: 'Choose which 20' }).waitFor();
  await assertAccessibleInAllVariants(page, '/watchlist');
});

separateTest('is not found and requests no list outside the rollout', async ({ page, service }) => {
  const person = await register(page);
  await service.database.owner(
    `insert into public.feature_flag_members (flag, idp_id, enabled)
     select 'dashboard-watchlist-v01', idp_id, false from public.all_users where email = $1`,
    [person.email],
  );
  const heading = page.getByRole('heading', { level: 1 });
  // The service caches a flag for some seconds.
  await eventually(async () => {
    await page.goto('/watchlist');
    await heading.waitFor();
    return (await heading.textContent()) === 'Page not found';
  });
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.reload();
  await page.getByText('Page not found').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Watchlist' }).count(), 0);
  assert.deepEqual(
    requestedPaths.filter((path) => path.startsWith('/api/watchlist')),
    [],
  );
});
