import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createMarket, setUpMarketFixture, addToWatchlist } from '../../../../test/support/market-fixture.ts';
import type { MarketDataService } from '../market-data-service.ts';

test('deletes sample data when a provider is configured and overwrites no real prices', async (t) => {
  const stage = await setUpMarketFixture(t);
  const simulated = createMarket(stage.db.database);
  await simulated.seed();
  assert.ok((await stage.readCloses('AAPL')).length === 30);
  await stage.marketData.enqueueOverdueJobs();
  assert.equal((await stage.readRow('AAPL')).current_price, null);
  assert.deepEqual(await stage.readCloses('AAPL'), []);
  assert.deepEqual(await stage.db.owner('select 1 from public.tracked_tickers_historical limit 1'), []);
  await stage.run('market-refresh', { always: true });
  assert.equal((await stage.readRow('AAPL')).current_price, 232.8);
  await simulated.tasks['market-refresh']!({ always: true } as never, {
    jobId: '1',
    attempt: 1,
    maxAttempts: 1,
    signal: new AbortController().signal,
  });
  assert.deepEqual([(await stage.readRow('AAPL')).current_price, (await stage.readRow('AAPL')).source], [232.8, 'fmp']);
});

test('leaves no sample history under a real price when jobs run in separate processes', async (t) => {
  const stage = await setUpMarketFixture(t);
  const simulated = createMarket(stage.db.database);
  await simulated.seed();
  assert.equal((await stage.readCloses('AAPL')).length, 30);
  await stage.db.owner(`insert into public.earnings (symbol, date, sample) values ('AAPL', '2027-01-28', true)`);
  await stage.db.owner(`update public.tracked_tickers_latest set market_cap = 5 where symbol = 'VOO'`);
  // Later than the real price.
  await stage.db.owner(`update public.tracked_tickers_latest set price_at = '2026-11-20T16:19:00Z'`);
  await stage.marketData.refreshNow(['AAPL', 'VOO', 'VTSAX']);
  const waiting = await stage.db.owner<{ symbol: string }>(
    `select payload ->> 'symbol' as symbol from graphile_worker._private_jobs j
     join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'market-backfill' order by 1`,
  );
  assert.deepEqual(waiting, [{ symbol: 'AAPL' }, { symbol: 'VOO' }], 'real years are requested, except for funds');
  await stage.marketData.enqueueOverdueJobs();
  assert.deepEqual([(await stage.readRow('AAPL')).current_price, (await stage.readRow('AAPL')).source], [232.8, 'fmp']);
  assert.equal((await stage.readRow('VOO')).market_cap, null, 'no sample figure stays');
  assert.deepEqual(await stage.readCloses('AAPL'), []);
  assert.deepEqual(await stage.db.owner('select 1 from public.tracked_tickers_historical limit 1'), []);
  assert.deepEqual(
    await stage.marketData.nextReports(['AAPL']),
    new Map(),
    'neither from the cache nor from the table',
  );
  assert.deepEqual(await stage.marketData.backfillNow('AAPL', false), { outcome: 'stored', candles: 3 });
  await stage.marketData.refreshNow(['AAPL']);
  assert.equal((await stage.readCloses('AAPL')).length, 3, 'real closes stay');
});

test('replaces a sample history and its price with a real year within a day', async (t) => {
  const stage = await setUpMarketFixture(t);
  const simulated = createMarket(stage.db.database);
  await simulated.seed();
  assert.deepEqual(await stage.marketData.backfillNow('AAPL', false), { outcome: 'stored', candles: 3 });
  assert.deepEqual(
    (await stage.readCloses('AAPL')).map(([day]) => day),
    ['2026-11-16', '2026-11-17', '2026-11-19'],
  );
  assert.equal((await stage.readRow('AAPL')).current_price, null);
  assert.ok((await stage.readRow('MSFT')).current_price! > 0, 'other listings keep theirs');
  assert.equal((await stage.readCloses('MSFT')).length, 30);
  await stage.marketData.refreshNow(['AAPL']);
  assert.deepEqual([(await stage.readRow('AAPL')).current_price, (await stage.readCloses('AAPL')).length], [232.8, 3]);
});

test('marks sample reports of companies with a real price, and replaces them later', async (t) => {
  const stage = await setUpMarketFixture(t);
  const range = { from: '2026-11-20', to: '2027-02-18' };
  const simulated = createMarket(stage.db.database);
  stage.fake.state.profiles.set('MSFT', {
    symbol: 'MSFT',
    companyName: 'Microsoft',
    currency: 'USD',
    exchange: 'NASDAQ',
    isEtf: false,
    isFund: false,
  });
  await addToWatchlist(stage, 'AAPL', 'MSFT', 'BRK.B');
  const listDates = async (marketData: MarketDataService, ...symbols: string[]) =>
    (await marketData.earnings(symbols, range)).reports.map(
      ({ symbol, date, sample }) => `${symbol} ${date} ${sample ? 'sample' : 'real'}`,
    );
  assert.deepEqual(await listDates(stage.marketData, 'MSFT'), ['MSFT 2027-01-26 real']);
  await stage.db.owner(`update market.earnings_cache set fetched_at = now() - interval '13 hours'`);

  // The keys are temporarily missing, and enough companies lack reports for a market-wide scan.
  const others = ['JPM', 'KO', 'NVDA', 'WMT', 'XOM'];
  await stage.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type) select unnest($1::text[]), 'stock'`,
    [others],
  );
  assert.equal((await simulated.earnings([...others, 'AAPL'], range)).complete, true);
  assert.deepEqual(
    await listDates(simulated, 'AAPL', 'MSFT', 'BRK.B'),
    ['MSFT 2027-01-26 real'],
    'real reports stay, and no sample report joins a real price',
  );
  const { complete } = await simulated.earnings(['MSFT'], range);
  assert.equal(complete, true, 'complete without the simulator, however old');
  assert.equal((await stage.readRow('AAPL')).source, 'fmp');
  assert.deepEqual(
    [...(await simulated.nextReports(['AAPL', 'MSFT'])).keys()],
    ['MSFT'],
    'a real price has no unmarked sample report',
  );

  assert.deepEqual(
    await listDates(stage.marketData, 'AAPL'),
    ['AAPL 2027-01-28 real'],
    'a provider is called immediately',
  );
  const countSamples = () =>
    stage.db.owner<{ symbol: string }>(
      `select symbol from market.earnings_cache where sample union all select 'table ' || symbol from public.earnings
       where sample order by 1`,
    );
  await stage.db.owner(
    `insert into public.earnings (symbol, date, sample)
     values ('AAPL', '2027-02-01', true), ('BRK.B', '2027-02-02', true), ('BRK.B', '2027-02-03', false)`,
  );
  await stage.db.owner('delete from market.earnings_cache where symbol = any($1::text[])', [others]);
  assert.deepEqual(
    (await countSamples()).map(({ symbol }) => symbol),
    ['BRK.B', 'table AAPL', 'table BRK.B'],
  );
  await stage.marketData.refreshNow(['AAPL']);
  assert.deepEqual(
    (await countSamples()).map(({ symbol }) => symbol),
    ['BRK.B', 'table BRK.B'],
    'after a process that only refreshes',
  );
  await stage.marketData.enqueueOverdueJobs();
  assert.deepEqual(await countSamples(), []);
  assert.deepEqual(
    await stage.db.owner('select symbol from public.earnings'),
    [{ symbol: 'BRK.B' }],
    'real reports stay',
  );
});
