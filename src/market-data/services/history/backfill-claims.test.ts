import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { createFmpCandles } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { setUpMarketFixture, type MarketFixture, addToWatchlist } from '../../../../test/support/market-fixture.ts';
import { getCandleYear } from './backfill-history.ts';
import { getLastDayClosedEverywhere } from '../shared/exchange-days.ts';
import { claimBackfill, findHistoriesToBackfill, finishBackfill, releaseBackfill } from './backfill-queries.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import { claimScan, finishScan, releaseScan } from '../earnings/report-queries.ts';

const advance = ({ db }: MarketFixture, time: string) =>
  db.owner('update market.backfills set done_at = done_at - $1::interval, claimed_at = claimed_at - $1::interval', [
    time,
  ]);
const requested = async ({ db }: MarketFixture) =>
  (
    await db.owner<{ symbol: string }>(
      `delete from graphile_worker._private_jobs where key like 'market-backfill:%'
       returning payload ->> 'symbol' as symbol`,
    )
  ).map(({ symbol }) => symbol);

test('covers 365 days up to the last ended day in New York or on every exchange', () => {
  const years = [
    ['2026-11-20T16:20:00Z', { from: '2025-11-19', to: '2026-11-19' }, '2026-11-19'],
    ['2026-11-20T20:59:00Z', { from: '2025-11-19', to: '2026-11-19' }, '2026-11-19'],
    ['2026-11-20T21:00:00Z', { from: '2025-11-20', to: '2026-11-20' }, '2026-11-19'],
    ['2026-11-20T21:34:00Z', { from: '2025-11-20', to: '2026-11-20' }, '2026-11-19'],
    ['2026-11-20T21:35:00Z', { from: '2025-11-20', to: '2026-11-20' }, '2026-11-20'],
    // Toronto still trades while New York has a half day.
    ['2026-11-27T21:34:00Z', { from: '2025-11-27', to: '2026-11-27' }, '2026-11-25'],
    ['2026-11-27T21:35:00Z', { from: '2025-11-27', to: '2026-11-27' }, '2026-11-27'],
    ['2028-03-01T12:00:00Z', { from: '2027-03-01', to: '2028-02-29' }, '2028-02-29'],
  ] as const;
  for (const [time, year, everywhere] of years) {
    assert.deepEqual(
      [
        getCandleYear(new Date(time)),
        getLastDayClosedEverywhere(new Date(time)),
        getCandleYear(new Date(time), false).to,
      ],
      [year, everywhere, everywhere],
      time,
    );
  }
});

test('fetches a history once in 20 hours and a fresh copy once in a minute', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  const findIncomplete = async () =>
    (
      await findHistoriesToBackfill(stage.db.database.service, [], {
        closeDays: ['2026-11-18'],
        historyUntil: '2026-11-19',
        splitsFrom: '2026-11-13',
      })
    ).map(({ symbol }) => symbol);
  const fetched = async (again = false) => (await stage.marketData.backfillNow('AAPL', again)).outcome;
  assert.equal(await fetched(), 'stored');
  await advance(stage, '30 seconds');
  assert.equal(await fetched(true), 'recently_fetched');
  await advance(stage, '31 seconds');
  assert.equal(await fetched(true), 'stored');
  await advance(stage, '19 hours 55 minutes');
  await stage.marketData.requestBackfill('AAPL');
  assert.deepEqual([await requested(stage), await findIncomplete(), await fetched()], [[], [], 'recently_fetched']);
  await advance(stage, '6 minutes');
  await stage.marketData.requestBackfill('AAPL');
  assert.deepEqual([await requested(stage), await findIncomplete(), await fetched()], [['AAPL'], ['AAPL'], 'stored']);
});

test('finds a history thin when it has under 245 candles or lacks the last days', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B');
  // The database clock defines the year of a history.
  const today = new Date();
  stage.setTime(today.toISOString());
  const give = (symbol: string, candles: number) =>
    stage.db.owner(
      `insert into public.tracked_tickers_historical (ticker_id, d, close) select ticker_id, current_date - n, 1
       from public.tracked_tickers_latest,
         (select generate_series(1, $2::int) union all select generate_series(400, 420)) as days (n) where symbol = $1`,
      [symbol, candles],
    );
  await stage.db.owner(
    `insert into market.recent_closes (ticker_id, closes, closes_to) select ticker_id, '[]', current_date - 1
     from public.tracked_tickers_latest`,
  );
  const thin = async () => {
    await Promise.all(['AAPL', 'BRK.B'].map((symbol) => stage.marketData.requestBackfill(symbol)));
    return (await requested(stage)).sort();
  };
  await give('AAPL', 244);
  await give('BRK.B', 245);
  assert.deepEqual(await thin(), ['AAPL']);
  for (const [days, symbols] of [
    [-1, ['AAPL']],
    [-2, ['AAPL', 'BRK.B']],
  ] as const) {
    await stage.db.owner('update market.recent_closes set closes_to = $1', [
      marketCalendar.addMarketDays(marketCalendar.getLastClosedDay(today), days),
    ]);
    assert.deepEqual(await thin(), symbols, `${days}`);
  }
});

test('does not miss days before the first day of a new listing', async (t) => {
  const stage = await setUpMarketFixture(t);
  stage.fake.state.candles.set(
    'AAPL',
    createFmpCandles('AAPL', [
      ['2026-11-18', 227],
      ['2026-11-19', 228.02],
    ]),
  );
  await addToWatchlist(stage, 'AAPL');
  await stage.marketData.backfillNow('AAPL', false);
  await advance(stage, '21 hours');
  const findIncomplete = (...closeDays: string[]) =>
    findHistoriesToBackfill(stage.db.database.service, [], {
      closeDays,
      historyUntil: '2026-11-19',
      splitsFrom: '2026-11-13',
    });
  assert.deepEqual(await findIncomplete('2026-11-13', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'), []);
  assert.deepEqual(await findIncomplete('2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'), [
    { symbol: 'AAPL', force: false },
  ]);
});

describe('of two histories with a gap', () => {
  /** Stores the history of AAPL with a gap six days ago and of BRK.B with one seven days ago, 21 hours ago. */
  async function storeHistoriesWithGaps(t: TestContext) {
    const stage = await setUpMarketFixture(t);
    const november = ['10', '11', '12', '13', '16', '17', '18', '19'].map((day) => `2026-11-${day}`);
    await addToWatchlist(stage, 'AAPL', 'BRK.B');
    for (const [symbol, missingDay] of [
      ['AAPL', '2026-11-12'],
      ['BRK-B', '2026-11-11'],
    ] as const) {
      const days = november.filter((day) => day !== missingDay);
      stage.fake.state.candles.set(
        symbol,
        createFmpCandles(
          symbol,
          days.map((day) => [day, 220]),
        ),
      );
    }
    for (const symbol of ['AAPL', 'BRK.B']) await stage.marketData.backfillNow(symbol, false);
    await advance(stage, '21 hours');
    return stage;
  }

  test('requests the one whose gap is within five days of closes', async (t) => {
    const stage = await storeHistoriesWithGaps(t);

    await stage.marketData.enqueueOverdueJobs();

    assert.deepEqual(await requested(stage), ['AAPL']);
  });

  test('finds the one with a pending split of the last days', async (t) => {
    const stage = await storeHistoriesWithGaps(t);
    await stage.marketData.enqueueOverdueJobs();
    await stage.db.owner(
      `update market.quote_checks set pending_split_date = '2026-11-13'
       where ticker_id = (select ticker_id from public.tracked_tickers_latest where symbol = 'BRK.B')`,
    );

    const findIncomplete = (splitsFrom: string) =>
      findHistoriesToBackfill(stage.db.database.service, [], {
        closeDays: ['2026-11-19'],
        historyUntil: '2026-11-19',
        splitsFrom,
      });

    assert.deepEqual(await findIncomplete('2026-11-13'), [{ symbol: 'BRK.B', force: true }]);
    assert.deepEqual(await findIncomplete('2026-11-16'), []);
  });
});

test('compares a fresh copy with the candles of the year only', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  await stage.marketData.backfillNow('AAPL', false);
  await stage.db.owner(
    `insert into public.tracked_tickers_historical (ticker_id, d, close) select ticker_id, '2025-11-18'::date - n, 200
     from public.tracked_tickers_latest, generate_series(0, 50) n`,
  );
  await advance(stage, '2 minutes');
  assert.deepEqual(await stage.marketData.backfillNow('AAPL', true), { outcome: 'stored', candles: 3 });
});

test('releases the claim immediately when the history could not be written', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  await stage.db.owner(`alter table public.tracked_tickers_historical add constraint no_room check (close < 0)`);
  await assert.rejects(stage.marketData.backfillNow('AAPL', false), /no_room/);
  await stage.db.owner('alter table public.tracked_tickers_historical drop constraint no_room');
  assert.deepEqual(await stage.marketData.backfillNow('AAPL', false), { outcome: 'stored', candles: 3 });
});

test('keeps the finished result of another process when an expired claim is released', async (t) => {
  const stage = await setUpMarketFixture(t);
  const sql = stage.db.database.service;
  await addToWatchlist(stage, 'AAPL');
  const claim = await claimBackfill(sql, 'AAPL', false);
  assert.ok(claim.status === 'claimed');
  await finishBackfill(sql, claim.target.ticker_id);
  await releaseBackfill(sql, claim.target.ticker_id);
  assert.deepEqual(await claimBackfill(sql, 'AAPL', false), { status: 'not-due' });
  assert.equal(await claimScan(sql, 'fmp'), 'claimed');
  await finishScan(sql, 'fmp');
  await releaseScan(sql, 'fmp');
  assert.equal(await claimScan(sql, 'fmp'), 'done');
});

test('rejects candles when they are 100 times the current price', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  await stage.marketData.refreshNow(['AAPL']);
  stage.fake.state.candles.set(
    'AAPL',
    createFmpCandles('AAPL', [
      ['2026-11-18', 22_700],
      ['2026-11-19', 22_802],
    ]),
  );
  assert.deepEqual(await stage.marketData.backfillNow('AAPL', false), { outcome: 'implausible' });
  assert.deepEqual(await stage.readCloses('AAPL'), []);
});
