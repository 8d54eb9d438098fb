import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import {
  addHolding,
  type InvestmentsApp,
  createAccount,
  startInvestmentsApp,
} from '../../../../test/support/investments-app.ts';
import { marketCalendar } from '../../../market-data/domain/market-calendar.ts';
import type { Article as FoundArticle } from '../../../market-data/domain/market-data-provider.ts';
import type { Article, EarningsResponse, NewsResponse } from './contract.ts';
import { refreshEarnings } from '../../../market-data/services/earnings/refresh-earnings.ts';
import { getUpcomingRange } from '../../../market-data/services/earnings/list-reports.ts';
import { listEarnings } from './list-earnings.ts';
import { listNews } from './list-news.ts';

/** Wednesday on which New York trades. Reports and articles of the simulator follow the clock. */
const now = (): Date => new Date('2026-10-14T15:00:00Z');
const TODAY = '2026-10-14';

let app: InvestmentsApp;
beforeAll(async () => {
  app = await startInvestmentsApp({ now });
  const account = await createAccount(app, 'user_a');
  for (const symbol of ['ORCL', 'AAPL', 'VOO']) await addHolding(app, 'user_a', account, symbol);
  for (const symbol of ['ADBE', 'ORCL', 'VTI', '91282CJZ5'])
    await app.database.service.query('select public.add_watchlist_item($1, $2)', ['user_a', symbol]);
});
afterAll(() => app.close());

/** Runs the daily job of investments. */
const runRefreshJob = () => app.investments.tasks['refresh-held-earnings']!({} as never, undefined as never);
const earnings = async (member = 'user_a'): Promise<EarningsResponse> =>
  (await app.call('GET', '/api/earnings', member)).body;
const news = async (member = 'user_a'): Promise<NewsResponse> =>
  (await app.call('GET', '/api/news?limit=50', member)).body;

test('requests reports only of watched companies and tags each report', async () => {
  await app.owner('delete from market.earnings_cache');
  const before = await earnings();
  assert.deepEqual(
    [before.earnings.filter(({ held }) => held), before.complete],
    [[], false],
    'before the daily job nothing is known of them',
  );
  await runRefreshJob();
  const { earnings: reports, complete, sample_data: sample } = await earnings();
  assert.deepEqual([complete, sample], [true, true]);
  const tags = new Map(reports.map((report) => [report.symbol, [report.held, report.watching]]));
  assert.deepEqual(
    [tags.get('ORCL'), tags.get('ADBE'), tags.get('AAPL')],
    [
      [true, true],
      [false, true],
      [true, false],
    ],
  );
  // Funds, ETFs and bonds have no reports.
  for (const symbol of ['VOO', 'VTI', '91282CJZ5']) assert.equal(tags.has(symbol), false, symbol);
  const { to } = getUpcomingRange(TODAY);
  for (const { date, market_days, eps_currency } of reports) {
    assert.ok(date >= TODAY && date <= to);
    assert.equal(market_days, marketCalendar.countMarketDays(TODAY, date));
    assert.equal(eps_currency, 'USD');
  }
  assert.deepEqual(
    reports.map(({ date, symbol }) => date + symbol),
    reports.map(({ date, symbol }) => date + symbol).sort(),
  );
  assert.equal(new Set(reports.map(({ symbol, date }) => symbol + date)).size, reports.length);
});

const createReport = (symbol: string, date: string) => ({
  symbol,
  date,
  when: null,
  eps_estimate: null,
  estimated: true,
  sample: false,
});

test('requests reports only of companies on the watchlist', async () => {
  const eager = {
    calendar: marketCalendar,
    source: 'fmp',
    earnings: async (symbols: readonly string[]) => ({
      reports: symbols.map((symbol) => createReport(symbol, TODAY)),
      complete: false,
    }),
  };
  const response = await listEarnings(
    { sql: app.database.service, market: eager, now },
    { held: [], watched: ['VTI', 'ADBE', '91282CJZ5', 'VTSAX'] },
  );
  assert.deepEqual(
    [response.complete, response.sample_data, response.earnings.map(({ symbol }) => symbol)],
    [false, false, ['ADBE']],
  );
});

test('returns reports from today in New York to 90 days later', async () => {
  const dates = ['2026-10-13', TODAY, '2027-01-12', '2027-01-13'];
  const reports = dates.map((date) => createReport('ADBE', date));
  const market = { calendar: marketCalendar, source: 'fmp', earnings: async () => ({ reports, complete: true }) };
  await app.owner(`insert into public.tracked_tickers_latest (symbol, asset_type) values ('HELDCO', 'stock')`);
  await app.owner(`insert into public.earnings (symbol, date) select 'HELDCO', unnest($1::date[])`, [dates]);
  // In New York the date is still the day before.
  const nightTime = () => new Date('2026-10-15T02:00:00Z');
  for (const clock of [now, nightTime]) {
    const { earnings: foundEarnings } = await listEarnings(
      { sql: app.database.service, market, now: clock },
      { held: ['HELDCO'], watched: ['ADBE'] },
    );
    const days = (symbol: string) =>
      foundEarnings
        .filter((report) => report.symbol === symbol)
        .map(({ date, market_days, chip }) => [date, market_days, chip]);
    const expected = [
      [TODAY, 0, 'Today'],
      ['2027-01-12', marketCalendar.countMarketDays(TODAY, '2027-01-12'), null],
    ];
    assert.deepEqual([days('HELDCO'), days('ADBE')], [expected, expected], clock().toISOString());
  }
  await app.owner(`delete from public.earnings where symbol = 'HELDCO'`);
});

test('shows held symbols with incomplete reports when the watchlist is unreadable', async () => {
  const heldEarnings = (await earnings()).earnings.filter(({ held }) => held);
  app.isWatchlistUnavailable = true;
  const reports = await app.call('GET', '/api/earnings', 'user_a');
  const news = await app.call('GET', '/api/news', 'user_a');
  app.isWatchlistUnavailable = false;
  assert.deepEqual([reports.status, reports.body.complete, news.status], [200, false, 200]);
  assert.deepEqual(
    reports.body.earnings,
    heldEarnings.map((report) => ({ ...report, watching: false })),
  );
  assert.ok(
    news.body.articles.length > 0 &&
      news.body.articles.every((article: Article) => article.related_held.length > 0 && !article.from_watchlist),
  );
});

test('treats the watchlist as empty during the demo tour', async () => {
  const reads = app.watchlistReadCount;
  const fetchOnTour = (path: string) => app.call('GET', path, 'user_a', undefined, { 'x-demo-tour': '1' });
  const reports = await fetchOnTour('/api/earnings');
  const news = await fetchOnTour('/api/news?limit=50');
  assert.deepEqual([reports.status, reports.body.complete, news.status], [200, true, 200]);
  assert.ok(
    reports.body.earnings.length > 0 &&
      (reports.body as EarningsResponse).earnings.every(({ held, watching }) => held && !watching),
  );
  assert.ok(
    news.body.articles.length > 0 &&
      news.body.articles.every((article: Article) => article.related_watched.length === 0 && !article.from_watchlist),
  );
  assert.equal(app.watchlistReadCount, reads);
});

test('excludes locked watchlist rows from reports or news', async () => {
  const relatedWatched = async () => {
    const { articles } = await news();
    return [
      (await earnings()).earnings.some(({ symbol }) => symbol === 'ADBE'),
      articles.some(({ symbols }) => symbols.includes('ADBE')),
      articles.some(({ related_watched: watched }) => watched.includes('ADBE')),
    ];
  };
  assert.deepEqual(await relatedWatched(), [true, true, true]);
  app.lockedSymbols.add('ADBE');
  const locked = await relatedWatched();
  app.lockedSymbols.delete('ADBE');
  assert.deepEqual(locked, [false, false, false]);
});

test('does not read the watchlist outside the rollout', async () => {
  app.membersOutsideRollout.add('user_a');
  const reads = app.watchlistReadCount;
  const { earnings: reports } = await earnings();
  const news = (await app.call('GET', '/api/news', 'user_a')).body;
  assert.ok(reports.length > 0 && reports.every(({ held, watching }) => held && !watching));
  assert.ok(news.articles.every((article: Article) => article.related_watched.length === 0 && !article.from_watchlist));
  assert.equal(app.watchlistReadCount, reads);
  app.membersOutsideRollout.delete('user_a');
});

test('keeps the reports of held companies that get no response', async () => {
  const table = () =>
    app.owner<{ symbol: string; date: string }>('select symbol, date::text as date from public.earnings order by 1, 2');
  const rowsAfterRefresh = await table();
  assert.deepEqual(
    [...new Set(rowsAfterRefresh.map(({ symbol }) => symbol))].filter((symbol) => !['AAPL', 'ORCL'].includes(symbol)),
    [],
  );
  await runRefreshJob();
  assert.deepEqual(await table(), rowsAfterRefresh);
  await app.owner(
    `insert into public.earnings (symbol, date, sample)
     values ('AAPL', $1::date + 3, true), ('AAPL', $1::date - 30, true)`,
    [TODAY],
  );
  const silent = async () => ({ fetched: [], complete: false, notCovered: false });
  await refreshEarnings({ sql: app.database.service, fetch: silent, now }, ['AAPL', 'ORCL']);
  assert.equal((await table()).length, rowsAfterRefresh.length + 2);
  await runRefreshJob();
  assert.deepEqual(
    (await table()).filter(({ date }) => date >= TODAY),
    rowsAfterRefresh,
    'the stale date is gone, the past is kept',
  );
});

test('marks reports incomplete when a held company was not requested lately', async () => {
  await app.owner(`insert into public.tracked_tickers_latest (symbol, asset_type) values ('QUIET', 'stock')`);
  const lists = { held: ['AAPL', 'VOO', 'QUIET'], watched: [] };
  const read = () => listEarnings({ sql: app.database.service, market: app.market, now }, lists);
  const complete = async () => (await read()).complete;
  assert.equal(await complete(), false);
  await app.owner(
    `insert into market.earnings_cache (symbol, reports, fetched_at)
     values ('QUIET', '[{"date": "2026-10-13"}]', now())`,
  );
  assert.equal(await complete(), true, 'it reports nothing in these days');
  await app.owner(
    `update market.earnings_cache set fetched_at = now() - interval '3 days' where symbol in ('QUIET', 'AAPL')`,
  );
  assert.equal(await complete(), false, 'that was long ago');
  await app.owner(
    `update market.earnings_cache set fetched_at = now(), reports = '[{"date": "2026-10-15"}]' where symbol = 'QUIET'`,
  );
  const storedReports = await read();
  assert.deepEqual(
    [storedReports.complete, storedReports.earnings.filter(({ symbol }) => symbol === 'QUIET').map(({ date }) => date)],
    [true, ['2026-10-15']],
    'it is shown although the job has not written it yet',
  );
});

test('returns news for held and watched symbols with http(s) links only', async () => {
  const { articles, sample_data } = await news();
  assert.ok(articles.length > 0 && sample_data);
  for (const article of articles) {
    assert.match(article.url, /^https?:\/\//);
    assert.doesNotMatch(article.title + article.summary, /<[a-z/]/i);
    assert.deepEqual(
      article.related_held,
      article.symbols.filter((symbol) => ['AAPL', 'ORCL', 'VOO'].includes(symbol)),
    );
    assert.deepEqual(
      article.related_watched,
      article.symbols.filter((symbol) => ['ADBE', 'ORCL', 'VTI', '91282CJZ5'].includes(symbol)),
    );
    assert.equal(article.from_watchlist, article.related_held.length === 0);
  }
  assert.ok(articles.some(({ from_watchlist }) => from_watchlist));
  assert.ok(((await app.call('GET', '/api/news?limit=2', 'user_a')).body.articles as Article[]).length <= 2);
  for (const query of ['limit=0', 'limit=51', 'limit=x', 'symbols=AAPL'])
    assert.equal((await app.call('GET', `/api/news?${query}`, 'user_a')).status, 400, query);
});

test('omits an article whose link would run in the browser', async () => {
  const article = (url: string): FoundArticle => ({
    title: 't',
    summary: '',
    url,
    source: 's',
    published_at: now().toISOString(),
    symbols: ['AAPL'],
    sample: false,
  });
  const urls = [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//example.com/a',
    '/a',
    '',
    'https://example.com/a',
    'http://example.com/b',
  ];
  const response = await listNews({ news: async () => urls.map(article) }, { held: ['AAPL'], watched: [], limit: 50 });
  assert.deepEqual(
    response.articles.map(({ url }) => url),
    ['https://example.com/a', 'http://example.com/b'],
  );
});

test('makes no provider call for an empty portfolio', async () => {
  assert.deepEqual(await earnings('user_b'), { earnings: [], complete: true, sample_data: false });
  assert.deepEqual((await app.call('GET', '/api/news', 'user_b')).body, { articles: [], sample_data: false });
});

test('includes watched symbols in the news when holdings exceed one request', async () => {
  const held = (
    'AAPL ABBV ABT AMD AMZN AVGO BAC COST CVX DIS GOOG GOOGL HD IBM ' + 'INTC JNJ JPM KO LLY MA META MRK MSFT NFLX NVDA'
  ).split(' ');
  const watched = ['WMT', 'XOM', 'V'];
  await app.owner(
    `insert into public.accounts (id, idp_id, name)
     values ('00000000-0000-4000-8000-0000000000d1', 'user_sample', 'Many')`,
  );
  await app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
     select 'user_sample', '00000000-0000-4000-8000-0000000000d1', unnest($1::text[]), 1`,
    [held],
  );
  await app.owner(
    `insert into public.watchlist_items (idp_id, symbol, position) select 'user_sample', symbol, place
     from unnest($1::text[]) with ordinality as w (symbol, place)`,
    [watched],
  );
  const { articles } = await news('user_sample');
  assert.deepEqual(
    watched.filter(
      (symbol) =>
        !articles.some(
          ({ from_watchlist: isFromWatchlist, related_watched: relatedWatched }) =>
            isFromWatchlist && relatedWatched.includes(symbol),
        ),
    ),
    [],
  );
  assert.ok(articles.some(({ related_held: relatedWatched }) => relatedWatched.length > 0));
});

test('returns news for a thousand held symbols', async () => {
  await app.owner(
    `insert into public.accounts (id, idp_id, name)
     values ('00000000-0000-4000-8000-0000000000d0', 'user_demo', 'All')`,
  );
  await app.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type) select 'X' || g, 'stock'
     from generate_series(1, 1000) g`,
  );
  await app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
     select 'user_demo', '00000000-0000-4000-8000-0000000000d0', 'X' || g, 1 from generate_series(1, 1000) g`,
  );
  for (const path of ['earnings', 'news', 'net-worth', 'investments/positions'])
    assert.equal((await app.call('GET', `/api/${path}`, 'user_demo')).status, 200, path);
});
