import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { createMarket } from '../../test/support/market-fixture.ts';
import { createJobs } from '../platform/jobs/jobs.ts';
import { createMetrics } from '../platform/http/metrics.ts';
import { createSimulator } from '../embedded/market-data/simulator.ts';
import { createMarketData, popularSymbols } from './market-data.ts';
import type { MarketDataService } from './services/market-data-service.ts';

/** The Friday before Thanksgiving, 11:20 in New York. */
const clock = new Date('2026-11-20T16:20:00Z');

let db: TestDatabase;
let marketData: MarketDataService;
beforeAll(async () => {
  db = await createTestDatabase();
  marketData = createMarket(db.database, {}, () => clock);
  await marketData.seed();
});
afterAll(() => db.drop());

test('seeds four asset types, prices and popular histories once at the first run', async () => {
  const counts = () =>
    db.owner<{ asset_type: string; tickers: number; priced: number }>(
      `select asset_type, count(*)::int as tickers, count(current_price)::int as priced
       from public.tracked_tickers_latest group by 1 order by 1`,
    );
  const first = await counts();
  assert.deepEqual(
    first.map(({ asset_type }) => asset_type),
    ['bond', 'etf', 'mutual_fund', 'stock'],
  );
  assert.ok(first.every(({ tickers, priced }) => tickers >= 20 && tickers === priced));
  const closes = await db.owner<{ symbol: string; n: number; to: string }>(
    `select t.symbol, json_array_length(r.closes) as n, r.closes_to::text as to from market.recent_closes r
     join public.tracked_tickers_latest t using (ticker_id) where t.symbol = any($1)`,
    [popularSymbols],
  );
  assert.equal(closes.length, popularSymbols.length);
  assert.ok(closes.every(({ n, to }) => n === 30 && to === '2026-11-19'));
  const started = performance.now();
  await marketData.seed();
  console.log(`a second seed took ${(performance.now() - started).toFixed(0)} ms`);
  assert.deepEqual(await counts(), first);
});

test('creates a lost listing once with its price when many requests run together', async () => {
  await db.owner(`delete from public.tracked_tickers_latest where symbol = 'NKE'`);
  const all = await Promise.all(Array.from({ length: 8 }, () => marketData.registerSymbol('NKE')));
  assert.ok(all.every((registered) => registered.ok && registered.ticker.name === 'NIKE, Inc.'));
  const rows = await db.owner<{ current_price: number | null }>(
    `select current_price from public.tracked_tickers_latest where symbol = 'NKE'`,
  );
  assert.equal(rows.length, 1);
  assert.ok(rows[0]!.current_price! > 0);
});

test('ranks the exact symbol first, then prefixes, then words of the name', async () => {
  const symbols = async (query: string, limit = 10) =>
    (await marketData.search(query, limit)).hits.map(({ symbol }) => symbol);
  assert.equal((await symbols('v'))[0], 'V');
  assert.deepEqual((await symbols('brk')).slice(0, 2), ['BRK.A', 'BRK.B']);
  assert.ok((await symbols('apple')).includes('AAPL'));
  assert.ok((await symbols('van bond mark')).includes('BND'));
  assert.equal((await symbols('vanguard', 3)).length, 3);
  for (const nothing of ['', '   ', '!!!', "'; drop table x", 'zzzzzzzz', '%', '_', ':*', '&', '\\'])
    assert.deepEqual(await symbols(nothing), [], nothing);
  const [voo] = (await marketData.search('VOO', 1)).hits;
  assert.deepEqual(voo, {
    symbol: 'VOO',
    name: 'Vanguard S&P 500 ETF',
    exchange: 'NYSE Arca',
    asset_type: 'etf',
    currency: 'USD',
    logo: '/api/logos/vanguard.svg',
    logo_source: 'issuer',
  });
});

test('returns the session and its next change', async () => {
  assert.deepEqual(await marketData.status(), {
    session: 'open',
    next_change_at: '2026-11-20T21:00:00.000Z',
    session_valid_seconds: 60,
  });
});

test("exports metrics of today's calls and quarantined prices", async () => {
  const metrics = createMetrics();
  const configured = createMarketData({
    sql: db.database.service,
    jobs: createJobs(db.database),
    logger: pino({ level: 'silent' }),
    providers: { simulator: { callsPerMinute: 1_000, callsPerDay: 1_000 } },
    createEmbedded: createSimulator,
    metrics,
  });
  await configured.refreshNow(['AAPL']);
  await db.owner(
    `update public.tracked_tickers_latest set quarantined_at = now(), quarantine_reason = 'test' where symbol = 'MSFT'`,
  );
  await db.owner(
    `insert into market.quote_checks (ticker_id, responded_at)
       select ticker_id, now() - interval '90 s' from public.tracked_tickers_latest where symbol in ('AAPL', 'MSFT')
     on conflict (ticker_id) do update set responded_at = excluded.responded_at`,
  );
  const text = await metrics.registry.metrics();
  assert.match(text, /tally_market_data_calls_today\{provider="simulator"\} 1\n/);
  assert.match(text, /tally_market_data_prices_held_back 1\n/);
  assert.match(text, /tally_market_data_prices_age_seconds 9\d/);
  await db.owner(`update market.provider_calls set starts_at = starts_at - interval '1 day'`);
  assert.doesNotMatch(
    await metrics.registry.metrics(),
    /tally_market_data_calls_today\{/,
    'calls of yesterday do not count',
  );
});

test('seeds an empty catalog only when no market-data key is set', async (t) => {
  const ownDatabase = await createTestDatabase(t);
  const market = createMarket(ownDatabase.database, {}, () => clock);
  await market.enqueueOverdueJobs();
  assert.ok((await market.search('apple', 10)).hits.some(({ symbol }) => symbol === 'AAPL'));
  await ownDatabase.owner(`delete from public.tracked_tickers_latest where symbol <> 'AAPL'`);
  await market.enqueueOverdueJobs();
  assert.deepEqual(await ownDatabase.owner('select symbol from public.tracked_tickers_latest'), [{ symbol: 'AAPL' }]);
});

test('finds symbols in any spelling and rejects look-alikes and coins', async () => {
  for (const text of ['brk.b', ' BRK.B ', 'Bf.B', 'vod.l']) {
    const registered = await marketData.registerSymbol(text);
    assert.ok(registered.ok && registered.ticker.symbol === text.trim().toUpperCase(), text);
  }
  for (const text of [
    'АAPL',
    'ｱAPL',
    'ſPY',
    'İBM',
    '',
    ' ',
    '^GSPC',
    '../etc',
    'A'.repeat(33),
    'AAPL;drop',
    "A'B",
    'AAPL%00',
    'NOSUCH',
  ]) {
    assert.deepEqual(await marketData.registerSymbol(text), { ok: false, reason: 'unknown' }, JSON.stringify(text));
  }
  for (const text of ['BTC-USD', 'btcusd', 'ETH/EUR', 'BTC', 'doge', 'SOLUSDT', 'EURUSD=X', 'ES=F']) {
    assert.deepEqual(await marketData.registerSymbol(text), { ok: false, reason: 'unsupported' }, text);
  }
});

test('returns sample news newest first, equal for the same symbols in any order', async () => {
  const articles = await marketData.news([['MSFT', 'AAPL']], 5);
  assert.equal(articles.length, 5);
  assert.ok(articles.every(({ sample, url }) => sample && /^https:\/\//.test(url)));
  assert.deepEqual(
    [...articles].sort((a, b) => (a.published_at < b.published_at ? 1 : -1)),
    articles,
  );
  assert.deepEqual(await marketData.news([['AAPL'], ['MSFT']], 5), articles);
  assert.deepEqual(await marketData.news([[], []], 5), []);
});
