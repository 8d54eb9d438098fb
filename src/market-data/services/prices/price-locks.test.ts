import assert from 'node:assert/strict';
import { test } from 'vitest';
import pg from 'pg';
import { setUpMarketFixture, type MarketFixture, addToWatchlist } from '../../../../test/support/market-fixture.ts';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { Listed } from '../history/backfill-queries.ts';
import { writeHistory } from '../history/history-queries.ts';
import { writeDailyCloses } from '../history/write-daily-closes.ts';
import { deleteSampleData, type PriceRow, writePrices } from './price-queries.ts';
import { changeCurrency } from '../catalog/profile-queries.ts';

const findListed = async ({ db }: MarketFixture, symbol: string): Promise<{ id: number; listed: Listed }> => {
  const [listed] = await db.owner<Listed>(
    'select ticker_id, currency, declared_unit from public.tracked_tickers_latest where symbol = $1',
    [symbol],
  );
  return { id: listed!.ticker_id, listed: listed! };
};

/** Waits until `count` statements wait for a lock, or until the work that should wait has ended. */
async function blocked({ db }: MarketFixture, count: number, work: Promise<unknown>): Promise<void> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  void work.then(end, end);
  while (
    !ended &&
    (
      await db.owner(
        `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
      )
    ).length < count
  );
}

/** Returns a handle whose transactions stay open after their work until they are resumed. */
function createPausableWriter(service: ServiceSql) {
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>();
  const { promise: resumed, resolve: goOn } = Promise.withResolvers<void>();
  const slow: ServiceSql = {
    ...service,
    transaction: (work) =>
      service.transaction(async (sql) => {
        const result = await work(sql);
        written();
        await resumed;
        return result;
      }),
  };
  return { slow, isWritten, goOn };
}

test('writes prices while an import references the same tickers in another order', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'VOO');
  await stage.db.owner(`insert into public.all_users (idp_id) values ('user_importer')`);
  const importer = new pg.Client({ connectionString: stage.db.ownerUrl });
  await importer.connect();
  try {
    await importer.query('begin');
    await importer.query(`select * from public.add_watchlist_items('user_importer', '{VOO}', false)`);
    // If both waited for each other, the statement timeout would end this call.
    await stage.marketData.refreshNow(['AAPL', 'VOO']);
    assert.deepEqual(
      [(await stage.readRow('AAPL')).current_price, (await stage.readRow('VOO')).source],
      [232.8, 'fmp'],
    );
    await importer.query(`select * from public.add_watchlist_items('user_importer', '{AAPL}', false)`);
    await importer.query('commit');
  } finally {
    await importer.end();
  }
  assert.deepEqual(
    await stage.db.owner(`select symbol from public.watchlist_items where idp_id = 'user_importer' order by position`),
    [{ symbol: 'VOO' }, { symbol: 'AAPL' }],
  );
});

test('keeps recent closes equal to the history when both are written concurrently', async (t) => {
  const stage = await setUpMarketFixture(t);
  const { service } = stage.db.database;
  await addToWatchlist(stage, 'AAPL');
  assert.equal((await stage.marketData.backfillNow('AAPL', false)).outcome, 'stored');
  await stage.db.owner(
    `update public.tracked_tickers_latest set current_price = 120, price_at = '2026-11-20T21:00:00Z'
     where symbol = 'AAPL'`,
  );

  const { id, listed } = await findListed(stage, 'AAPL');
  const { slow, isWritten, goOn } = createPausableWriter(service);
  const candle = { open: 120, high: 120, low: 120, volume: 1 };
  const writing = writeHistory(
    slow,
    listed,
    [
      { date: '2026-11-18', close: 118, ...candle },
      { date: '2026-11-19', close: 119, ...candle },
    ],
    true,
  );
  await isWritten;
  const writingCloses = writeDailyCloses(service, new Date('2026-11-20T21:40:00Z'));
  await blocked(stage, 1, writingCloses);
  goOn();
  assert.equal(await writingCloses, 1);
  await writing;
  const history = await stage.db.owner<{ d: string; close: number }>(
    'select d::text, close from public.tracked_tickers_historical where ticker_id = $1 order by d',
    [id],
  );
  assert.deepEqual(
    await stage.readCloses('AAPL'),
    history.map(({ d, close }) => [d, close]),
  );
  assert.deepEqual(
    history.map(({ d }) => d),
    ['2026-11-18', '2026-11-19', '2026-11-20'],
  );
});

test('keeps an official close when a quote before the close is written later', async (t) => {
  const stage = await setUpMarketFixture(t);
  const { service } = stage.db.database;
  await addToWatchlist(stage, 'AAPL');
  assert.equal((await stage.marketData.backfillNow('AAPL', false)).outcome, 'stored');
  const at = (time: string) => stage.db.owner(`update market.backfills set done_at = $1`, [time]);
  const price = (value: number, time: string) =>
    stage.db.owner(`update public.tracked_tickers_latest set current_price = $1, price_at = $2 where symbol = 'AAPL'`, [
      value,
      time,
    ]);
  const evening = new Date('2026-11-20T21:40:00Z');

  await price(99.5, '2026-11-20T20:45:00Z');
  await at('2026-11-20T20:00:00Z');
  assert.equal(await writeDailyCloses(service, evening), 1);
  await price(99.75, '2026-11-20T20:59:00Z');
  assert.equal(await writeDailyCloses(service, evening), 1, 'a later price replaces an earlier close');
  assert.deepEqual((await stage.readCloses('AAPL')).at(-1), ['2026-11-20', 99.75]);

  await writeHistory(
    service,
    (await findListed(stage, 'AAPL')).listed,
    [{ date: '2026-11-20', close: 101.25, open: 99, high: 102, low: 98, volume: 5_000_000 }],
    false,
  );
  await at('2026-11-20T21:30:00Z');
  assert.equal(await writeDailyCloses(service, evening), 0);
  assert.deepEqual((await stage.readCloses('AAPL')).at(-1), ['2026-11-20', 101.25]);
});

test('deletes a close in the old currency when the currency changes during the write', async (t) => {
  const stage = await setUpMarketFixture(t);
  const { service } = stage.db.database;
  await addToWatchlist(stage, 'AAPL');
  assert.equal((await stage.marketData.backfillNow('AAPL', false)).outcome, 'stored');
  await stage.db.owner(
    `update public.tracked_tickers_latest set price_at = '2026-11-20T21:00:00Z' where symbol = 'AAPL'`,
  );
  const { slow, isWritten, goOn } = createPausableWriter(service);
  const writingCloses = writeDailyCloses(slow, new Date('2026-11-20T21:40:00Z'));
  await isWritten;
  const changing = changeCurrency(service, 'AAPL', 'EUR', null);
  await blocked(stage, 1, changing);
  goOn();
  assert.deepEqual([await writingCloses, await changing], [1, true]);
  assert.deepEqual(await stage.db.owner('select d, close from public.tracked_tickers_historical'), []);
  assert.deepEqual(await stage.readCloses('AAPL'), []);
});

test('writes prices while sample data is deleted, in any order of listings', async (t) => {
  const stage = await setUpMarketFixture(t);
  const { service } = stage.db.database;
  const price = (symbol: string): PriceRow => ({
    symbol,
    currency: 'USD',
    declared_unit: null,
    current_price: 11,
    change_1d: null,
    change_amount: null,
    prev_close: null,
    open: null,
    day_low: null,
    day_high: null,
    volume: null,
    market_cap: null,
    price_at: '2026-11-20T16:00:00Z',
    delayed_minutes: 0,
    source: 'fmp',
  });
  await stage.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency, source, current_price, price_at)
     select unnest('{BBB,AAA}'::text[]), 'stock', 'USD', 'simulator', 10, '2026-11-20T15:00:00Z'`,
  );
  const lockHolder = new pg.Client({ connectionString: stage.db.ownerUrl });
  await lockHolder.connect();
  try {
    await lockHolder.query('begin');
    await lockHolder.query(`select from public.tracked_tickers_latest where symbol = 'AAA' for no key update`);
    const writing = writePrices(service, ['AAA', 'BBB'].map(price));
    await blocked(stage, 1, writing);
    const deletingSamples = deleteSampleData(service, 'all');
    await blocked(stage, 2, deletingSamples);
    await lockHolder.query('commit');
    assert.deepEqual([(await writing).length, await deletingSamples], [2, 0]);
  } finally {
    await lockHolder.end();
  }
  assert.deepEqual([(await stage.readRow('AAA')).source, (await stage.readRow('BBB')).current_price], ['fmp', 11]);
});

test('writes many closes in batches that block only the prices of their own listings', async (t) => {
  const stage = await setUpMarketFixture(t);
  const { service } = stage.db.database;
  const listingCount = 4_000;
  await stage.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency, exchange, current_price, price_at, source)
     select 'S' || n, 'stock', 'USD', 'NASDAQ', 100 + n, '2026-11-20T21:00:00Z', 'fmp'
       from generate_series(1, $1::int) n`,
    [listingCount],
  );
  await stage.db.owner(
    `insert into market.recent_closes (ticker_id, closes, closes_to)
     select ticker_id, '[["2026-11-19",100]]', '2026-11-19' from public.tracked_tickers_latest`,
  );
  const free: number[] = [];
  const counting: ServiceSql = {
    ...service,
    transaction: (work) =>
      service.transaction(async (sql) => {
        const result = await work(sql);
        free.push(
          (await stage.db.owner('select from public.tracked_tickers_latest for no key update skip locked')).length,
        );
        return result;
      }),
  };
  assert.equal(await writeDailyCloses(counting, new Date('2026-11-20T21:40:00Z')), listingCount);
  assert.deepEqual(free, [2_000, 2_000, 4_000]);
  const closes = await stage.db.owner(
    `select from public.tracked_tickers_latest t join public.tracked_tickers_historical h using (ticker_id)
     join market.recent_closes r using (ticker_id)
      where h.d = '2026-11-20' and h.close = t.current_price and r.closes_to = '2026-11-20'`,
  );
  assert.equal(closes.length, listingCount);
});
