import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createFmpQuote } from '../../test/fakes/fmp/fmp-fake.ts';
import {
  MARKET_HOURS_TIME,
  setUpMarketFixture,
  type MarketFixture,
  addToWatchlist,
} from '../../test/support/market-fixture.ts';

const closing = { timestamp: Date.parse('2026-11-20T21:00:00Z') / 1_000 };

/** Deletes the pending refresh jobs and returns their payloads. */
const refreshes = async ({ db }: MarketFixture) =>
  (
    await db.owner<{ payload: object }>(
      `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks k
       where k.id = j.task_id and k.identifier = 'market-refresh' returning j.payload`,
    )
  ).map(({ payload }) => payload);

/** Sets the request and response times of price states to a time of the test clock. */
const recordTimes = ({ db }: MarketFixture, time: string, symbol: string | null = null) =>
  db.owner(
    `update market.quote_checks n
     set requested_at = $1::timestamptz, responded_at = case when n.responded_at is not null then $1::timestamptz end
       from public.tracked_tickers_latest t where t.ticker_id = n.ticker_id and t.symbol = coalesce($2, t.symbol)`,
    [time, symbol],
  );

test('refreshes overdue prices once for all processes when one price is current', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B');
  // The feed pauses after Friday noon. On Saturday a popular symbol is registered.
  stage.setTime('2026-11-21T16:00:00Z');
  stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 250, 248, closing));
  stage.fake.state.quotes.set('VOO', createFmpQuote('VOO', 545, 540, closing));
  await stage.marketData.registerSymbol('VOO');
  await recordTimes(stage, '2026-11-20T16:20:00Z');
  await recordTimes(stage, '2026-11-21T16:00:00Z', 'VOO');
  await refreshes(stage);
  await Promise.all([stage.marketData.enqueueOverdueJobs(), stage.marketData.enqueueOverdueJobs()]);
  const waiting = await refreshes(stage);
  assert.deepEqual(waiting, [{ always: true, since: '2026-11-21T00:45:00.000Z' }]);
  stage.fake.requests.length = 0;
  await stage.run('market-refresh', waiting[0]);
  assert.deepEqual(
    stage.fake.requests.map(({ params }) => params.get('symbols')),
    ['AAPL,BRK-B'],
    'the third listing has a newer price',
  );
  assert.equal((await stage.readRow('AAPL')).current_price, 250);
  await stage.run('market-refresh', waiting[0]);
  assert.equal(stage.fake.requests.length, 1, 'a listing without a newer price is requested once');
});

test('makes no request when all prices in use are of the last close', async (t) => {
  const stage = await setUpMarketFixture(t);
  stage.setTime('2026-11-20T21:20:00Z');
  for (const symbol of ['AAPL', 'VTSAX'])
    stage.fake.state.quotes.set(symbol, createFmpQuote(symbol, 100, null, closing));
  await addToWatchlist(stage, 'AAPL');
  await stage.marketData.registerSymbol('BRK.B');
  await stage.marketData.enqueueOverdueJobs();
  assert.deepEqual(await refreshes(stage), []);
  await stage.db.owner(`update public.tracked_tickers_latest set price_at = null`);
  await stage.marketData.enqueueOverdueJobs();
  assert.deepEqual(await refreshes(stage), [{ always: true, since: '2026-11-20T21:15:00.000Z' }]);
});

test('retries failed listings at the next start, but not symbols with an empty answer', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B');
  await recordTimes(stage, MARKET_HOURS_TIME);
  const start = async (time: string): Promise<string[]> => {
    stage.setTime(time);
    await stage.marketData.enqueueOverdueJobs();
    stage.fake.requests.length = 0;
    for (const payload of await refreshes(stage)) await stage.run('market-refresh', payload);
    await stage.db.owner('delete from graphile_worker._private_jobs');
    const requestedSymbols = stage.fake.requests.map(
      ({ params }) => params.get('symbols') ?? params.get('symbol') ?? '',
    );
    await recordTimes(stage, time, 'AAPL');
    await recordTimes(stage, time, 'BRK.B');
    return requestedSymbols;
  };
  stage.fake.failWith('a server error');
  stage.setTime('2026-11-20T21:15:00Z');
  await stage.run('market-refresh');
  // The requests at the due time of the day's prices failed. The last responses are from noon.
  await stage.db.owner(`update market.quote_checks set requested_at = '2026-11-20T21:15:00Z'`);
  stage.fake.failWith(undefined);
  stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 250, 248, closing));
  stage.fake.state.quotes.delete('BRK-B');
  assert.equal((await start('2026-11-20T22:00:00Z'))[0], 'AAPL,BRK-B');
  assert.equal((await stage.readRow('AAPL')).current_price, 250);
  await stage.db.owner(`update public.tracked_tickers_latest set price_at = null where symbol = 'BRK.B'`);
  assert.deepEqual(await start('2026-11-20T22:30:00Z'), [], 'no provider has its price');
});

test('records only the received responses when the provider fails in the middle', async (t) => {
  const stage = await setUpMarketFixture(t);
  stage.fake.state.plan = 'free';
  await addToWatchlist(stage, 'AAPL', 'BRK.B');
  await stage.db.owner('truncate market.quote_checks');
  stage.fake.failWith('a server error', 2); // fails the batch, which the plan does not include, and the first symbol
  const { written, noResponse, missing } = await stage.marketData.refreshNow(['AAPL', 'BRK.B']);
  assert.deepEqual([written, noResponse, missing], [1, 1, 0]);
  const selectRecorded = () =>
    stage.db.owner(
      `select t.symbol, n.responded_at is not null as answered from market.quote_checks n
       join public.tracked_tickers_latest t using (ticker_id) where n.requested_at is not null order by 1`,
    );
  assert.deepEqual(await selectRecorded(), [
    { symbol: 'AAPL', answered: true },
    { symbol: 'BRK.B', answered: false },
  ]);
  stage.fake.failWith(undefined);
  stage.fake.state.quotes.delete('BRK-B');
  assert.equal((await stage.marketData.refreshNow(['BRK.B'])).missing, 1);
  assert.deepEqual(
    await selectRecorded(),
    [
      { symbol: 'AAPL', answered: true },
      { symbol: 'BRK.B', answered: true },
    ],
    'an unknown symbol counts as a response',
  );
});
