import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { type Captured, eventsUntil } from './captured-events.ts';
import { test } from './fixtures.ts';
import { signUp } from './people.ts';
import { card, isSaved, memberWith, rows, search, someSymbols } from './watchlist-card.ts';

/** What every event of the watchlist carries. */
const common = (list: { item_count: number; locked_count?: number }) => ({
  feature: 'watchlist',
  tier: 'free',
  limit: 20,
  locked_count: 0,
  ...list,
});
const named = (events: readonly Captured[], name: string) =>
  events.filter(({ event }) => event === name).map(({ properties }) => properties);

/** Articles lead to other sites, which tests never reach: each answers with an empty page. */
const stayHere = (page: Page) =>
  page
    .context()
    .route(/^https:\/\/en\.wikipedia\.org\//, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Article</title>' }),
    );

test('whatever is done with the watchlist is captured once, with what all its events carry', async ({
  page,
  service,
}) => {
  const person = await memberWith(page, service, ['AAPL', 'VOO']);
  await card(page).getByRole('combobox', { name: 'Sort' }).selectOption('name');
  await card(page).getByRole('button', { name: /Day %/ }).click();
  await card(page)
    .getByRole('button', { name: /Day \$/ })
    .waitFor();
  await rows(page).first().click();
  const panel = page.getByRole('dialog', { name: 'Apple Inc.' });
  await panel.getByRole('radio', { name: 'One month' }).press('ArrowRight');
  await panel.getByRole('slider', { name: /AAPL, 3M/ }).waitFor();
  await panel.getByRole('button', { name: 'I bought this' }).click();
  await page.getByRole('dialog', { name: 'Add investment' }).getByRole('button', { name: 'Cancel' }).click();
  await card(page).getByRole('button', { name: 'Add tickers' }).click();
  await search(page).fill('KO');
  await card(page).getByRole('option', { name: /^KO/ }).waitFor();
  await search(page).press('Enter');
  await isSaved(service, person, ['AAPL', 'VOO', 'KO']);
  await card(page).getByRole('button', { name: 'Done' }).click();
  const download = page.waitForEvent('download');
  await card(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  await download;
  const events = await eventsUntil(service, person, [
    'watchlist_exported',
    'watchlist_symbol_added',
    'watchlist_search_opened',
    'watchlist_bought_clicked',
  ]);
  // The service writes its own count beside an event, of the moment when it arrives: up to a second after what caused
  // it.
  const told = (name: string) => named(events, name).map(({ item_count: _count, ...rest }) => rest);
  const { item_count: _two, ...free } = common({ item_count: 2 });
  // The visit before this one may have ended before its list came.
  const viewed = told('watchlist_viewed');
  assert.ok(viewed.length === 1 || viewed.length === 2, `once for each visit, not ${viewed.length} times in two`);
  assert.deepEqual(viewed.at(-1), free);
  assert.deepEqual(told('watchlist_sort_changed'), [{ ...free, sort: 'name' }]);
  assert.deepEqual(told('watchlist_second_line_changed'), [{ ...free, line: 'amount' }]);
  assert.deepEqual(told('watchlist_detail_opened'), [{ ...free, symbol: 'AAPL' }]);
  assert.deepEqual(told('watchlist_range_changed'), [{ ...free, symbol: 'AAPL', range: '3M' }]);
  assert.deepEqual(told('watchlist_bought_clicked'), [{ ...free, symbol: 'AAPL' }]);
  assert.deepEqual(told('watchlist_search_opened'), [free]);
  assert.deepEqual(named(events, 'watchlist_symbol_added'), [
    { ...common({ item_count: 3 }), symbol: 'KO', asset_type: 'stock' },
  ]);
  assert.deepEqual(named(events, 'watchlist_exported'), [common({ item_count: 3 })]);
});

test('an opened article, and all reports that are asked for, say what the watchlist had to do with it', async ({
  service,
  visit,
}) => {
  const page = await visit({ expected: [/request to elsewhere: https:\/\/en\.wikipedia\.org\//] });
  await stayHere(page);
  const watched = ['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'META', 'JPM'];
  const person = await memberWith(page, service, watched);
  const articles = page.getByRole('list', { name: 'Latest news' });
  await articles.getByRole('link').first().waitFor();
  // The right button opens the browser's menu, and no article.
  await articles.getByRole('link').first().click({ button: 'right' });
  const opened = page.context().waitForEvent('page');
  await articles.getByRole('link').first().click();
  await (await opened).close();
  const all = page.getByRole('button', { name: /^Show all \d+ reports$/ });
  const count = Number(/\d+/.exec(await all.innerText())?.[0]);
  await all.click();
  await page.getByRole('region', { name: 'Upcoming earnings' }).getByRole('button', { name: 'Show fewer' }).click();
  const events = await eventsUntil(service, person, [
    'dashboard_news_article_clicked',
    'dashboard_earnings_view_all_clicked',
  ]);
  const [article, ...more] = named(events, 'dashboard_news_article_clicked');
  const { related_watched: related, ...rest } = article!;
  assert.deepEqual([rest, more], [{ ...common({ item_count: 7 }), from_watchlist: true }, []]);
  assert.ok(
    Array.isArray(related) && related.length > 0 && related.every((symbol) => watched.includes(symbol)),
    String(related),
  );
  assert.deepEqual(named(events, 'dashboard_earnings_view_all_clicked'), [
    { ...common({ item_count: 7 }), watching_count: count },
  ]);
});

test('an upgrade offered by a refused add is captured with its source, once, before the page of plans', async ({
  page,
  service,
}) => {
  const person = await signUp(page);
  await card(page).getByRole('option').first().waitFor();
  await page.route('**/api/watchlist', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { code: 'WATCHLIST_LIMIT_REACHED', limit: 20, tier: 'free' } })
      : route.continue(),
  );
  await card(page).getByRole('option', { name: /Apple/ }).click();
  await page.getByText('Apple was not added: your watchlist is full').waitFor();
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor();
  const events = await eventsUntil(service, person, ['plans_viewed']);
  assert.deepEqual(named(events, 'upgrade_cta_clicked'), [
    { ...common({ item_count: 0 }), source: 'dashboard_watchlist_limit' },
  ]);
  assert.deepEqual(named(events, 'plans_viewed'), [{ entry_source: 'watchlist_limit', tier: 'free' }]);
});

test('an add that the page refuses, the list being full, is captured once for each try', async ({ page, service }) => {
  const twenty = (await someSymbols(service, 40)).filter((symbol) => !['AAPL', 'MSFT'].includes(symbol)).slice(0, 20);
  const person = await memberWith(page, service, twenty);
  await card(page).getByRole('button', { name: 'Add tickers' }).click();
  const said = card(page).getByRole('status');
  await card(page).getByRole('option', { name: /^AAPL/ }).click({ force: true });
  await said.getByText('Apple was not added').waitFor({ state: 'attached' });
  await search(page).fill('MSFT');
  await card(page).getByRole('option', { name: /^MSFT/ }).waitFor();
  await search(page).press('Enter');
  await said.getByText('Microsoft was not added').waitFor({ state: 'attached' });
  await card(page).getByRole('combobox', { name: 'Sort' }).selectOption('losers');
  const events = await eventsUntil(service, person, ['watchlist_sort_changed']);
  const full = common({ item_count: 20 });
  assert.deepEqual(named(events, 'watchlist_limit_reached'), [full, full]);
});

test(
  'what is captured in the last moment before a page is left arrives all the same',
  { tag: '@slow' },
  async ({ service, visit }) => {
    const page = await visit({ expected: [/ERR_FAILED/] });
    const sortBy = (sort: string) => card(page).getByRole('combobox', { name: 'Sort' }).selectOption(sort);
    // What is chosen before the code has come that sends it.
    await page.route('**/assets/send-events-*.js', (route) => route.abort());
    const person = await memberWith(page, service, ['AAPL', 'VOO']);
    await sortBy('name');
    await page.goto('/sign-in');
    await card(page).waitFor();
    await page.unrouteAll();
    await page.reload();
    await eventsUntil(service, person, ['watchlist_sort_changed']);
    await sortBy('losers');
    await page.goto('/sign-in');
    const events = await eventsUntil(service, person, ['watchlist_sort_changed', 'watchlist_sort_changed']);
    assert.deepEqual(
      named(events, 'watchlist_sort_changed'),
      ['name', 'losers'].map((sort) => ({ ...common({ item_count: 2 }), sort })),
    );
  },
);
