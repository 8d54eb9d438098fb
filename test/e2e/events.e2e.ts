import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { type Captured, waitForEvents } from './captured-events.ts';
import { test } from './fixtures.ts';
import { signUp } from './people.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  getRows,
  getSearchField,
  getCatalogSymbols,
} from './watchlist-card.ts';

/** Returns the properties that every event of the watchlist has. */
const toCommonProperties = (list: { item_count: number; locked_count?: number }) => ({
  feature: 'watchlist',
  tier: 'free',
  limit: 20,
  locked_count: 0,
  ...list,
});
const filterByName = (events: readonly Captured[], name: string) =>
  events.filter(({ event }) => event === name).map(({ properties }) => properties);

/** Answers requests to other sites with an empty page, since articles link there and tests stay offline. */
const blockNavigation = (page: Page) =>
  page
    .context()
    .route(/^https:\/\/en\.wikipedia\.org\//, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Article</title>' }),
    );

test('captures each watchlist action once with the common properties', async ({ page, service }) => {
  const person = await createMemberWith(page, service, ['AAPL', 'VOO']);
  await getCard(page).getByRole('combobox', { name: 'Sort' }).selectOption('name');
  await getCard(page).getByRole('button', { name: /Day %/ }).click();
  await getCard(page)
    .getByRole('button', { name: /Day \$/ })
    .waitFor();
  await getRows(page).first().click();
  const panel = page.getByRole('dialog', { name: 'Apple Inc.' });
  await panel.getByRole('radio', { name: 'One month' }).press('ArrowRight');
  await panel.getByRole('slider', { name: /AAPL, 3M/ }).waitFor();
  await panel.getByRole('button', { name: 'I bought this' }).click();
  await page.getByRole('dialog', { name: 'Add investment' }).getByRole('button', { name: 'Cancel' }).click();
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getSearchField(page).fill('KO');
  await getCard(page).getByRole('option', { name: /^KO/ }).waitFor();
  await getSearchField(page).press('Enter');
  await waitForSavedOrder(service, person, ['AAPL', 'VOO', 'KO']);
  await getCard(page).getByRole('button', { name: 'Done' }).click();
  const download = page.waitForEvent('download');
  await getCard(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await download;
  const events = await waitForEvents(service, person, [
    'watchlist_exported',
    'watchlist_symbol_added',
    'watchlist_search_opened',
    'watchlist_bought_clicked',
  ]);
  // The service adds its own item count when an event arrives, up to a second after the cause of the event.
  const getListEvents = (name: string) => filterByName(events, name).map(({ item_count: _count, ...rest }) => rest);
  const { item_count: _two, ...free } = toCommonProperties({ item_count: 2 });
  // The earlier visit may have ended before its list arrived.
  const viewed = getListEvents('watchlist_viewed');
  assert.ok(viewed.length === 1 || viewed.length === 2, `once for each visit, not ${viewed.length} times in two`);
  assert.deepEqual(viewed.at(-1), free);
  assert.deepEqual(getListEvents('watchlist_sort_changed'), [{ ...free, sort: 'name' }]);
  assert.deepEqual(getListEvents('watchlist_second_line_changed'), [{ ...free, line: 'amount' }]);
  assert.deepEqual(getListEvents('watchlist_detail_opened'), [{ ...free, symbol: 'AAPL' }]);
  assert.deepEqual(getListEvents('watchlist_range_changed'), [{ ...free, symbol: 'AAPL', range: '3M' }]);
  assert.deepEqual(getListEvents('watchlist_bought_clicked'), [{ ...free, symbol: 'AAPL' }]);
  assert.deepEqual(getListEvents('watchlist_search_opened'), [free]);
  assert.deepEqual(filterByName(events, 'watchlist_symbol_added'), [
    { ...toCommonProperties({ item_count: 3 }), symbol: 'KO', asset_type: 'stock' },
  ]);
  assert.deepEqual(filterByName(events, 'watchlist_exported'), [toCommonProperties({ item_count: 3 })]);
});

test(
  'captures the watchlist’s share in an opened article and in all reports',
  { tag: '@slow' },
  async ({ service, visit }) => {
    const page = await visit({ expected: [/request to elsewhere: https:\/\/en\.wikipedia\.org\//] });
    await blockNavigation(page);
    const watched = ['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'META', 'JPM'];
    const person = await createMemberWith(page, service, watched);
    const articles = page.getByRole('list', { name: 'Latest news' });
    await articles.getByRole('link').first().waitFor();
    // The right button opens the browser's menu and no article.
    await articles.getByRole('link').first().click({ button: 'right' });
    const opened = page.context().waitForEvent('page');
    await articles.getByRole('link').first().click();
    await (await opened).close();
    const all = page.getByRole('button', { name: /^Show all \d+ reports$/ });
    const count = Number(/\d+/.exec(await all.innerText())?.[0]);
    await all.click();
    await page.getByRole('region', { name: 'Upcoming earnings' }).getByRole('button', { name: 'Show fewer' }).click();
    const events = await waitForEvents(service, person, [
      'dashboard_news_article_clicked',
      'dashboard_earnings_view_all_clicked',
    ]);
    const [article, ...more] = filterByName(events, 'dashboard_news_article_clicked');
    const { related_watched: related, ...rest } = article!;
    assert.deepEqual([rest, more], [{ ...toCommonProperties({ item_count: 7 }), from_watchlist: true }, []]);
    assert.ok(
      Array.isArray(related) && related.length > 0 && related.every((symbol) => watched.includes(symbol)),
      String(related),
    );
    assert.deepEqual(filterByName(events, 'dashboard_earnings_view_all_clicked'), [
      { ...toCommonProperties({ item_count: 7 }), watching_count: count },
    ]);
  },
);

test(
  'captures an upgrade from a rejected add once with its source before the plans',
  { tag: '@slow' },
  async ({ page, service }) => {
    const person = await signUp(page);
    await getCard(page).getByRole('option').first().waitFor();
    await page.route('**/api/watchlist', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 403, json: { code: 'WATCHLIST_LIMIT_REACHED', limit: 20, tier: 'free' } })
        : route.continue(),
    );
    await getCard(page).getByRole('option', { name: /Apple/ }).click();
    await page.getByText('Could not add Apple. Your watchlist is full').waitFor();
    await page.getByRole('button', { name: 'Upgrade' }).click();
    await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor();
    const events = await waitForEvents(service, person, ['plans_viewed']);
    assert.deepEqual(filterByName(events, 'upgrade_cta_clicked'), [
      { ...toCommonProperties({ item_count: 0 }), source: 'dashboard_watchlist_limit' },
    ]);
    assert.deepEqual(filterByName(events, 'plans_viewed'), [{ entry_source: 'watchlist_limit', tier: 'free' }]);
  },
);

test(
  'captures each try of an add that the page rejects on a full list',
  { tag: '@slow' },
  async ({ page, service }) => {
    const twenty = (await getCatalogSymbols(service, 40))
      .filter((symbol) => !['AAPL', 'MSFT'].includes(symbol))
      .slice(0, 20);
    const person = await createMemberWith(page, service, twenty);
    await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
    const announcement = getCard(page).getByRole('status');
    await getCard(page).getByRole('option', { name: /^AAPL/ }).click({ force: true });
    await announcement.getByText('Could not add Apple').waitFor({ state: 'attached' });
    await getSearchField(page).fill('MSFT');
    await getCard(page).getByRole('option', { name: /^MSFT/ }).waitFor();
    await getSearchField(page).press('Enter');
    await announcement.getByText('Could not add Microsoft').waitFor({ state: 'attached' });
    await getCard(page).getByRole('combobox', { name: 'Sort' }).selectOption('losers');
    const events = await waitForEvents(service, person, ['watchlist_sort_changed']);
    const full = toCommonProperties({ item_count: 20 });
    assert.deepEqual(filterByName(events, 'watchlist_limit_reached'), [full, full]);
  },
);

test('delivers events of the last moment before the page closes', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ expected: [/ERR_FAILED/] });
  const sortBy = (sort: string) => getCard(page).getByRole('combobox', { name: 'Sort' }).selectOption(sort);
  // The action occurs before the code that sends events has loaded.
  await page.route('**/assets/send-events-*.js', (route) => route.abort());
  const person = await createMemberWith(page, service, ['AAPL', 'VOO']);
  await sortBy('name');
  await page.goto('/sign-in');
  await getCard(page).waitFor();
  await page.unrouteAll();
  await page.reload();
  await waitForEvents(service, person, ['watchlist_sort_changed']);
  await sortBy('losers');
  await page.goto('/sign-in');
  const events = await waitForEvents(service, person, ['watchlist_sort_changed', 'watchlist_sort_changed']);
  assert.deepEqual(
    filterByName(events, 'watchlist_sort_changed'),
    ['name', 'losers'].map((sort) => ({ ...toCommonProperties({ item_count: 2 }), sort })),
  );
});
