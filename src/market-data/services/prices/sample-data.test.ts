import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { createMarket, setUpMarketFixture, addToWatchlist } from '../../../../test/support/market-fixture.ts';
import type { MarketDataService } from '../market-data-service.ts';

/** Starts market data with a provider on a database that the simulator has seeded. */
async function startAfterSimulator(t: TestContext) {
  const stage = await setUpMarketFixture(t);
  const simulated = createMarket(stage.db.database);
  await simulated.seed();
  assert.equal((await stage.readCloses('AAPL')).length, 30);
  return {
    stage,
    simulated,
    readPrice: async (symbol: string) => {
      const { current_price: price, source } = await stage.readRow(symbol);
      return { price, source };
    },
    readHistory: () => stage.db.owner('select 1 from public.tracked_tickers_historical limit 1'),
  };
}

test('deletes sample data when a provider is configured', async (t) => {
  const { stage, readPrice, readHistory } = await startAfterSimulator(t);

  await stage.marketData.enqueueOverdueJobs();

  assert.equal((await readPrice('AAPL')).price, null);
  assert.deepEqual(await stage.readCloses('AAPL'), []);
  assert.deepEqual(await readHistory(), []);
});

test('overwrites no real price with a sample price', async (t) => {
  const { stage, simulated, readPrice } = await startAfterSimulator(t);
  await stage.marketData.enqueueOverdueJobs();
  await stage.run('market-refresh', { always: true });
  assert.equal((await readPrice('AAPL')).price, 232.8);

  const { signal } = new AbortController();
  await simulated.tasks['market-refresh']!({ always: true } as never, {
    jobId: '1',
    attempt: 1,
    maxAttempts: 1,
    signal,
  });

  assert.deepEqual(await readPrice('AAPL'), { price: 232.8, source: 'fmp' });
});

describe('when the first real price comes from a process that only refreshes', () => {
  /** Refreshes listings whose sample prices are later than the real ones. */
  async function refreshSampleListings(t: TestContext) {
    const { stage, ...readers } = await startAfterSimulator(t);
    await stage.db.owner(`insert into public.earnings (symbol, date, sample) values ('AAPL', '2027-01-28', true)`);
    await stage.db.owner(`update public.tracked_tickers_latest set market_cap = 5 where symbol = 'VOO'`);
    await stage.db.owner(`update public.tracked_tickers_latest set price_at = '2026-11-20T16:19:00Z'`);
    await stage.marketData.refreshNow(['AAPL', 'VOO', 'VTSAX']);
    return { stage, ...readers };
  }

  test('requests real years, except for funds', async (t) => {
    const { stage } = await refreshSampleListings(t);

    const waiting = await stage.db.owner<{ symbol: string }>(
      `select payload ->> 'symbol' as symbol from graphile_worker._private_jobs j
       join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'market-backfill' order by 1`,
    );

    assert.deepEqual(waiting, [{ symbol: 'AAPL' }, { symbol: 'VOO' }]);
  });

  test('leaves no sample figure, close or report', async (t) => {
    const { stage, readPrice, readHistory } = await refreshSampleListings(t);

    await stage.marketData.enqueueOverdueJobs();

    assert.deepEqual(await readPrice('AAPL'), { price: 232.8, source: 'fmp' });
    assert.equal((await stage.readRow('VOO')).market_cap, null);
    assert.deepEqual(await stage.readCloses('AAPL'), []);
    assert.deepEqual(await readHistory(), []);
    assert.deepEqual(await stage.marketData.nextReports(['AAPL']), new Map());
  });

  test('keeps real closes', async (t) => {
    const { stage } = await refreshSampleListings(t);
    await stage.marketData.enqueueOverdueJobs();

    assert.deepEqual(await stage.marketData.backfillNow('AAPL', false), { outcome: 'stored', candles: 3 });
    await stage.marketData.refreshNow(['AAPL']);

    assert.equal((await stage.readCloses('AAPL')).length, 3);
  });
});

test('replaces a sample history and its price with a real year within a day', async (t) => {
  const { stage, readPrice } = await startAfterSimulator(t);

  assert.deepEqual(await stage.marketData.backfillNow('AAPL', false), { outcome: 'stored', candles: 3 });

  assert.deepEqual(
    (await stage.readCloses('AAPL')).map(([day]) => day),
    ['2026-11-16', '2026-11-17', '2026-11-19'],
  );
  assert.equal((await readPrice('AAPL')).price, null);
  assert.ok((await readPrice('MSFT')).price! > 0, 'other listings keep theirs');
  assert.equal((await stage.readCloses('MSFT')).length, 30);

  await stage.marketData.refreshNow(['AAPL']);
  assert.deepEqual([(await readPrice('AAPL')).price, (await stage.readCloses('AAPL')).length], [232.8, 3]);
});

describe('reports while the keys are temporarily missing', () => {
  const REPORT_RANGE = { from: '2026-11-20', to: '2027-02-18' };
  const OTHERS = ['JPM', 'KO', 'NVDA', 'WMT', 'XOM'];
  const listReports = async (marketData: MarketDataService, ...symbols: string[]) =>
    (await marketData.earnings(symbols, REPORT_RANGE)).reports.map(
      ({ symbol, date, sample }) => `${symbol} ${date} ${sample ? 'sample' : 'real'}`,
    );

  /** Starts with real prices and a real report of MSFT, then runs the simulator over many companies without reports. */
  async function startWithoutKeys(t: TestContext) {
    const stage = await setUpMarketFixture(t);
    const simulated = createMarket(stage.db.database);
    const microsoft = { symbol: 'MSFT', companyName: 'Microsoft', currency: 'USD', exchange: 'NASDAQ' };
    stage.fake.state.profiles.set('MSFT', { ...microsoft, isEtf: false, isFund: false });
    await addToWatchlist(stage, 'AAPL', 'MSFT', 'BRK.B');
    assert.deepEqual(await listReports(stage.marketData, 'MSFT'), ['MSFT 2027-01-26 real']);
    await stage.db.owner(`update market.earnings_cache set fetched_at = now() - interval '13 hours'`);
    await stage.db.owner(
      `insert into public.tracked_tickers_latest (symbol, asset_type) select unnest($1::text[]), 'stock'`,
      [OTHERS],
    );
    // So many companies lack reports that the market-wide scan runs.
    assert.equal((await simulated.earnings([...OTHERS, 'AAPL'], REPORT_RANGE)).complete, true);
    return { stage, simulated };
  }

  test('keeps real reports and adds no sample report to a real price', async (t) => {
    const { stage, simulated } = await startWithoutKeys(t);

    assert.deepEqual(await listReports(simulated, 'AAPL', 'MSFT', 'BRK.B'), ['MSFT 2027-01-26 real']);
    const { complete } = await simulated.earnings(['MSFT'], REPORT_RANGE);
    assert.equal(complete, true, 'complete without the simulator, however old');
    assert.equal((await stage.readRow('AAPL')).source, 'fmp');
    assert.deepEqual([...(await simulated.nextReports(['AAPL', 'MSFT'])).keys()], ['MSFT']);
  });

  test('calls the provider immediately when the keys are back', async (t) => {
    const { stage, simulated } = await startWithoutKeys(t);
    await listReports(simulated, 'AAPL', 'MSFT', 'BRK.B');

    assert.deepEqual(await listReports(stage.marketData, 'AAPL'), ['AAPL 2027-01-28 real']);
  });

  test('deletes only sample reports when the keys are back', async (t) => {
    const { stage, simulated } = await startWithoutKeys(t);
    await listReports(simulated, 'AAPL', 'MSFT', 'BRK.B');
    await listReports(stage.marketData, 'AAPL');
    const listSamples = async () => {
      const rows = await stage.db.owner<{ symbol: string }>(
        `select symbol from market.earnings_cache where sample union all select 'table ' || symbol from public.earnings
         where sample order by 1`,
      );
      return rows.map(({ symbol }) => symbol);
    };
    await stage.db.owner(
      `insert into public.earnings (symbol, date, sample)
       values ('AAPL', '2027-02-01', true), ('BRK.B', '2027-02-02', true), ('BRK.B', '2027-02-03', false)`,
    );
    await stage.db.owner('delete from market.earnings_cache where symbol = any($1::text[])', [OTHERS]);
    assert.deepEqual(await listSamples(), ['BRK.B', 'table AAPL', 'table BRK.B']);

    await stage.marketData.refreshNow(['AAPL']);
    assert.deepEqual(await listSamples(), ['BRK.B', 'table BRK.B'], 'after a process that only refreshes');
    await stage.marketData.enqueueOverdueJobs();
    assert.deepEqual(await listSamples(), []);
    assert.deepEqual(await stage.db.owner('select symbol from public.earnings'), [{ symbol: 'BRK.B' }]);
  });
});
