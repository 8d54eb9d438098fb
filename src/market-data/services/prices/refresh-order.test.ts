import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { FINNHUB_KEY, startFinnhubFake } from '../../../../test/fakes/finnhub/finnhub-fake.ts';
import {
  createMarket,
  setUpMarketFixture,
  type MarketFixture,
  removeJobs,
  addToWatchlist,
} from '../../../../test/support/market-fixture.ts';

test("refreshes the oldest prices first when a minute's quota is short", async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B');
  await stage.db.owner(
    `insert into market.provider_calls
     select 'fmp', 'minute', date_trunc('minute', now(), 'UTC') + n * interval '1 minute', 100000
       from generate_series(0, 2) n on conflict (provider, period, starts_at) do update set used = 100000`,
  );
  await stage.run('market-refresh');
  const waiting = await stage.db.owner<{ payload: object; later: boolean }>(
    `select payload, run_at > now() + interval '30 seconds' as later from graphile_worker._private_jobs`,
  );
  assert.equal(waiting.length, 1);
  const { since, ...rest } = waiting[0]!.payload as { since: string };
  assert.deepEqual([rest, waiting[0]!.later], [{ always: false, round: 2, fundsFirst: false }, true]);
  assert.ok(Date.parse(since) <= Date.now());
  assert.deepEqual(await listQueues(stage), ['market-refresh']);
  for (const [round, next] of [
    [11, [12]],
    [12, []],
  ] as const) {
    await stage.db.owner('delete from graphile_worker._private_jobs');
    await stage.run('market-refresh', { round });
    const rounds = await stage.db.owner<{ payload: { round: number } }>(
      'select payload from graphile_worker._private_jobs',
    );
    assert.deepEqual(
      rounds.map(({ payload }) => payload.round),
      next,
      `after minute ${round} of a quarter of an hour`,
    );
  }
});

/** Returns the queues of the pending jobs. */
const listQueues = async ({ db }: MarketFixture) =>
  (
    await db.owner<{ name: string | null }>(
      `select q.queue_name as name from graphile_worker._private_jobs j
       left join graphile_worker._private_job_queues q on q.id = j.job_queue_id`,
    )
  ).map(({ name }) => name);

const STOCKS = Array.from({ length: 12 }, (_, index) => `S${String(index).padStart(2, '0')}`);

/**
 * Watches twelve stocks, of which the provider does not know the first, and a fund. The provider allows ten calls a
 * minute. `round` runs a task in a new minute and returns the requested symbols.
 */
async function watchThirteenListings(t: TestContext) {
  const stage = await setUpMarketFixture(t);
  const finnhub = await startFinnhubFake();
  t.onTestFinished(() => finnhub.close());
  const quote = finnhub.state.quotes.get('AAPL')!;
  await stage.db.owner(`insert into public.all_users (idp_id) values ('user_feed')`);
  for (const [index, symbol] of [...STOCKS, 'ZFUND'].entries()) {
    await stage.db.owner(
      `insert into public.tracked_tickers_latest (symbol, asset_type, currency) values ($1, $2, 'USD')`,
      [symbol, symbol === 'ZFUND' ? 'mutual_fund' : 'stock'],
    );
    const insert = `insert into public.watchlist_items (idp_id, symbol, position) values ('user_feed', $1, $2)`;
    await stage.db.owner(insert, [symbol, index + 1]);
    if (symbol !== 'S00') finnhub.state.quotes.set(symbol, quote);
  }
  const marketData = createMarket(stage.db.database, {
    finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url, callsPerMinute: 10 },
  });
  const { signal } = new AbortController();
  const round = async (task: string, payload: object): Promise<string[]> => {
    finnhub.requests.length = 0;
    await stage.db.owner('delete from market.provider_calls');
    await marketData.tasks[task]!(payload as never, { jobId: '1', attempt: 1, maxAttempts: 1, signal });
    return finnhub.requests.map(({ params }) => params.get('symbol')!);
  };
  return { db: stage.db, round, takeNextPayload: async () => (await removeJobs(stage))[0] };
}

test('reaches every listing once with few calls a minute, in the evening funds first', async (t) => {
  const { round, takeNextPayload } = await watchThirteenListings(t);

  const first = await round('market-refresh-evening', { always: true });
  const second = await round('market-refresh', (await takeNextPayload())!);

  assert.deepEqual(first, ['ZFUND', ...STOCKS.slice(0, 9)]);
  assert.deepEqual(second, STOCKS.slice(9));
  assert.equal(await takeNextPayload(), undefined);
});

test('continues with the rest when the first is unknown and all prices are equally old', async (t) => {
  const { db, round, takeNextPayload } = await watchThirteenListings(t);
  await round('market-refresh-evening', { always: true });
  // Nothing is left if the minute of the quota ended during the first round.
  await round('market-refresh', (await takeNextPayload()) ?? {});
  await db.owner('truncate market.quote_checks');

  const first = await round('market-refresh', {});
  const second = await round('market-refresh', {});

  assert.deepEqual(first, STOCKS.slice(0, 10));
  assert.deepEqual(second.slice(0, 2), STOCKS.slice(10));
});

test('counts symbols as not requested when the quota ends within a batch', async (t) => {
  const stage = await setUpMarketFixture(t);
  const finnhub = await startFinnhubFake();
  t.onTestFinished(() => finnhub.close());
  const symbols = Array.from({ length: 13 }, (_, index) => `S${String(index).padStart(2, '0')}`);
  await stage.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency)
     select unnest($1::text[]), 'stock', 'USD'`,
    [symbols],
  );
  for (const symbol of symbols) finnhub.state.quotes.set(symbol, finnhub.state.quotes.get('AAPL')!);
  const providers = { finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url, callsPerMinute: 4 } };
  const marketData = createMarket(stage.db.database, providers);
  const result = await marketData.refreshNow(symbols);
  const requestCount = finnhub.requests.length;
  assert.ok(requestCount > 0 && requestCount <= 8, `${requestCount} calls`); // a minute may end in between
  assert.deepEqual(
    [result.written, result.missing, result.notRequested],
    [requestCount, 0, symbols.length - requestCount],
  );
  const [recorded] = await stage.db.owner<{ n: number }>(
    'select count(*)::int as n from market.quote_checks where requested_at is not null',
  );
  assert.equal(recorded?.n, requestCount, 'only requested listings move to the end');
});

test('stops a refresh after two failed calls when the provider is unavailable', async (t) => {
  const stage = await setUpMarketFixture(t);
  const symbols = Array.from({ length: 250 }, (_, index) => `S${String(index).padStart(3, '0')}`);
  await stage.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency)
     select unnest($1::text[]), 'stock', 'USD'`,
    [symbols],
  );
  stage.fake.failWith('a server error');
  const { noResponse, notRequested, missing } = await stage.marketData.refreshNow(symbols);
  assert.deepEqual({ noResponse, notRequested, missing }, { noResponse: 200, notRequested: 50, missing: 0 });
});

test('makes no further calls and keeps the order of listings when the worker stops', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  await stage.db.owner('delete from market.quote_checks');
  await stage.marketData.refreshNow(['AAPL'], { signal: AbortSignal.abort() });
  assert.deepEqual(await stage.db.owner('select from market.quote_checks'), []);
});

test('retries a first price without a response, but not one that no provider has', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  stage.fake.failWith('a server error');
  await assert.rejects(stage.run('market-refresh-symbol', { symbol: 'AAPL' }), /Failed to fetch the price of AAPL/);
  stage.fake.failWith(undefined);
  stage.fake.state.quotes.delete('AAPL');
  await stage.run('market-refresh-symbol', { symbol: 'AAPL' });
});

test('retries an evening refresh after a minute, and others at the next refresh', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B');
  const rest = () => removeJobs<{ since: string }>(stage);
  await rest();
  await stage.db.owner('update public.tracked_tickers_latest set current_price = null, price_at = null');
  stage.fake.failWith('a server error');
  await stage.run('market-refresh');
  assert.deepEqual(await rest(), []);
  await stage.run('market-refresh-evening', { always: true });
  const [{ since, ...waiting }, ...others] = (await rest()) as [{ since: string }];
  assert.deepEqual([waiting, others], [{ always: true, round: 2, fundsFirst: true }, []]);
  stage.fake.failWith(undefined);
  await stage.run('market-refresh', { ...waiting, since });
  assert.equal((await stage.readRow('BRK.B')).current_price, 480.25);
  assert.deepEqual(await rest(), []);
});
