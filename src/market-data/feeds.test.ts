import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { FMP_KEY, createFmpQuote } from '../../test/fakes/fmp/fmp-fake.ts';
import { MARKET_HOURS_TIME, setUpMarketFixture, addToWatchlist } from '../../test/support/market-fixture.ts';
import { createProviderChain } from './providers/chain/provider-chain.ts';
import { createSimulator } from '../embedded/market-data/simulator.ts';
import { createProviderEntries } from './providers/provider-entries.ts';
import { withTtlCache } from './providers/single-flight/ttl-cache.ts';
import { createRegistration } from './services/catalog/register-symbol.ts';

test('writes prices of watched listings with day changes and converts pence to pounds', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B', 'VOO', 'VTSAX', 'VOD.L');
  stage.fake.requests.length = 0;
  await stage.run('market-refresh');
  assert.deepEqual(
    stage.fake.requests.map(({ path, params }) => [path, params.get('symbols')?.split(',').sort()]),
    [['/batch-quote', ['AAPL', 'BRK-B', 'VOD.L', 'VOO', 'VTSAX']]],
    'one call for all listings',
  );
  const apple = await stage.readRow('AAPL');
  assert.deepEqual(
    [apple.current_price, apple.prev_close, apple.source, apple.delayed_minutes],
    [232.8, 228.02, 'fmp', 15],
  );
  assert.equal(apple.price_at!.toISOString(), '2026-11-20T16:15:00.000Z');
  assert.equal(apple.change_amount!.toFixed(2), '4.78');
  const fund = await stage.readRow('VTSAX');
  assert.deepEqual(
    [fund.current_price, fund.change_1d, fund.change_amount, fund.prev_close],
    [141.2, null, null, null],
  );
  const vodafone = await stage.readRow('VOD.L');
  assert.deepEqual([vodafone.current_price, vodafone.prev_close, vodafone.currency], [72.15, 72, 'GBP']);
});

test('skips refreshes outside the session except for the last prices after the close', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  for (const [time, calls] of [
    ['2026-11-21T16:20:00Z', 0],
    ['2026-11-26T16:20:00Z', 0],
    ['2026-11-20T14:15:00Z', 0],
    ['2026-11-20T22:00:00Z', 0],
    ['2026-11-27T19:00:00Z', 0],
    ['2026-11-20T14:30:00Z', 1],
    ['2026-11-20T21:15:00Z', 1],
    ['2026-11-27T18:30:00Z', 1],
  ] as const) {
    stage.fake.requests.length = 0;
    stage.setTime(time);
    await stage.run('market-refresh');
    assert.equal(stage.fake.requests.length, calls, time);
  }
});

test('keeps the last prices without throwing when the provider fails', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  for (const fault of [
    'payment required',
    'a server error',
    'an HTML page with 200',
    'a closed connection',
    'too many requests',
  ] as const) {
    stage.fake.failWith(fault);
    await stage.run('market-refresh');
    assert.equal((await stage.readRow('AAPL')).current_price, 232.8, fault);
  }
  assert.partialDeepStrictEqual(await stage.marketData.registerSymbol('VOO'), { ok: false, reason: 'unavailable' });
  assert.deepEqual(await stage.marketData.news([['AAPL']], 3), []);
  assert.deepEqual(await stage.marketData.earnings(['AAPL'], { from: '2026-11-20', to: '2027-02-18' }), {
    reports: [],
    complete: false,
  });
  assert.equal((await stage.marketData.status())!.session, 'open');
});

test('logs the symbol, source and reason when a price is rejected', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  const futureTime = { timestamp: Date.parse('2026-11-20T18:00:00Z') / 1_000 };
  stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 240, 228.02, futureTime));
  await stage.run('market-refresh');
  const warnings = stage.logLines.map((line): object => JSON.parse(line));
  assert.partialDeepStrictEqual(warnings, [
    { msg: 'price rejected', symbol: 'AAPL', source: 'fmp', reason: 'a time in the future' },
  ]);
});

test('keeps the newer quote when an older one is returned', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  stage.fake.state.quotes.set(
    'AAPL',
    createFmpQuote('AAPL', 100, 99, { timestamp: Date.parse('2026-11-20T15:00:00Z') / 1_000 }),
  );
  await stage.run('market-refresh');
  assert.equal((await stage.readRow('AAPL')).current_price, 232.8);
});

test('keeps the known market cap when a quote has none', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL');
  await stage.run('market-refresh');
  stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 233, 228.02, { marketCap: undefined }));
  await stage.run('market-refresh');
  assert.deepEqual(
    [(await stage.readRow('AAPL')).current_price, (await stage.readRow('AAPL')).market_cap],
    [233, 1_000_000_000],
  );
});

test('refreshes an old price by a job when the listing is watched', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'VTSAX');
  const jobs = () => stage.db.owner<{ payload: object }>('select payload from graphile_worker._private_jobs');
  await stage.marketData.requestBackfill('VTSAX');
  assert.deepEqual(await jobs(), []);
  stage.setTime('2026-12-01T16:20:00Z');
  await stage.marketData.requestBackfill('VTSAX');
  assert.deepEqual(await jobs(), [], "no call within an hour of the provider's response");
  await stage.db.owner(`update market.quote_checks set responded_at = responded_at - interval '61 minutes'`);
  await stage.marketData.requestBackfill('VTSAX');
  assert.deepEqual(await jobs(), [{ payload: { symbol: 'VTSAX' } }]);
  stage.fake.state.quotes.set(
    'VTSAX',
    createFmpQuote('VTSAX', 142, null, { timestamp: Date.parse('2026-11-30T21:00:00Z') / 1_000 }),
  );
  await stage.run('market-refresh-symbol', { symbol: 'VTSAX' });
  assert.equal((await stage.readRow('VTSAX')).current_price, 142);
});

test('stores no row for a look-up and reuses its result when the symbol is registered', async (t) => {
  const stage = await setUpMarketFixture(t);
  const countLookups = () => stage.fake.requests.filter(({ path }) => path === '/profile').length;
  for (let round = 0; round < 3; round += 1)
    assert.deepEqual(await stage.marketData.lookUpSymbol('voo'), { ok: true, symbol: 'VOO' });
  assert.deepEqual(await stage.marketData.lookUpSymbol('NOSUCH'), { ok: false, reason: 'unknown' });
  assert.equal(await stage.readRow('VOO'), undefined);
  const lookupsBefore = countLookups();
  assert.equal((await stage.marketData.registerSymbol('VOO')).ok, true);
  assert.deepEqual(await stage.marketData.registerSymbol('NOSUCH'), { ok: false, reason: 'unknown' });
  assert.deepEqual([lookupsBefore, countLookups()], [2, 2]);
});

test('caches the answer about a symbol for ten minutes', async (t) => {
  const { db, fake } = await setUpMarketFixture(t);
  const sql = db.database.service;
  const sources = createProviderEntries(
    sql,
    { fmp: { key: FMP_KEY, baseUrl: fake.url } },
    createSimulator,
    () => new Date(MARKET_HOURS_TIME),
  );
  let time = 0;
  const providers = createProviderChain(sources, { warn: () => {} });
  const registration = createRegistration({ sql, providers, singleFlight: withTtlCache(() => time) });
  for (const [minutes, calls] of [
    [0, 1],
    [9.9, 1],
    [10, 2],
  ] as const) {
    time = minutes * 60_000;
    assert.deepEqual(
      [await registration.lookUp('NOSUCH'), fake.requests.length],
      [{ ok: false, reason: 'unknown' }, calls],
      `${minutes} minutes`,
    );
  }
});

describe('earnings', () => {
  const EARNINGS_RANGE = { from: '2026-11-20', to: '2027-02-18' };
  const appleReports = {
    reports: [{ symbol: 'AAPL', date: '2027-01-28', when: null, eps_estimate: 2.6, estimated: true, sample: false }],
    complete: true,
  };

  /** Watches two companies, of which the report of AAPL is cached. `fetchReports` reads AAPL's. */
  async function cacheAppleReports(t: TestContext) {
    const stage = await setUpMarketFixture(t);
    await addToWatchlist(stage, 'AAPL', 'BRK.B');
    const fetchReports = (...symbols: string[]) => stage.marketData.earnings(symbols, EARNINGS_RANGE);
    await Promise.all(Array.from({ length: 8 }, () => stage.marketData.nextReports(['AAPL']))); // all connections are open
    stage.fake.requests.length = 0;
    const responses = await Promise.all(Array.from({ length: 8 }, () => fetchReports('AAPL')));
    assert.equal(stage.fake.requests.length, 1, 'members share one call');
    return { stage, fetchReports, responses };
  }

  test('are fetched once for members who request them at the same time', async (t) => {
    const { stage, responses } = await cacheAppleReports(t);

    for (const response of responses) assert.deepEqual(response, appleReports);
    assert.deepEqual((await stage.marketData.nextReports(['AAPL'])).get('AAPL'), { date: '2027-01-28', when: null });
  });

  test('are the known ones when the quota is spent', async (t) => {
    const { stage, fetchReports } = await cacheAppleReports(t);
    await stage.db.owner(
      `insert into market.provider_calls
       select 'fmp', 'minute', date_trunc('minute', now(), 'UTC') + n * interval '1 minute', 100000
         from generate_series(0, 2) n on conflict (provider, period, starts_at) do update set used = 100000`,
    );

    const { complete, reports } = await fetchReports('AAPL', 'BRK.B');

    assert.deepEqual([complete, reports.map(({ symbol }) => symbol)], [false, ['AAPL']]);
    assert.equal(stage.fake.requests.length, 1);
  });
});

test('writes all closes once when the market has closed', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B', 'VTSAX');
  for (const symbol of ['AAPL', 'BRK.B']) await stage.run('market-backfill', { symbol });
  stage.setTime('2026-11-20T21:10:00Z');
  const afterClose = { timestamp: Date.parse('2026-11-20T21:00:00Z') / 1_000 };
  stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 234.5, 228.02, afterClose));
  await stage.run('market-refresh'); // the last price of the other listing is from the morning
  stage.setTime('2026-11-20T21:34:00Z');
  await stage.run('market-write-closes');
  assert.deepEqual((await stage.readCloses('AAPL')).at(-1), ['2026-11-19', 228.02], 'last prices may still follow');
  stage.setTime('2026-11-20T21:40:00Z');
  await stage.run('market-write-closes');
  await stage.run('market-write-closes');
  assert.deepEqual((await stage.readCloses('AAPL')).slice(-2), [
    ['2026-11-19', 228.02],
    ['2026-11-20', 234.5],
  ]);
  assert.deepEqual((await stage.readCloses('BRK.B')).at(-1), ['2026-11-19', 228.02], 'a morning price is not a close');
});

test('refetches missing days at the start, or before the next close is added', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B', 'VTSAX');
  for (const symbol of ['AAPL', 'BRK.B']) await stage.run('market-backfill', { symbol });
  const asked = async () =>
    (
      await stage.db.owner<{ symbol: string }>(
        `select payload ->> 'symbol' as symbol from graphile_worker._private_jobs where payload ->> 'symbol' is not null
         order by 1`,
      )
    ).map(({ symbol }) => symbol);
  stage.setTime('2026-11-20T21:40:00Z');
  await stage.run('market-write-closes');
  await stage.marketData.enqueueOverdueJobs();
  assert.deepEqual(await asked(), [], 'nothing is missing');
  await stage.db.owner(`update market.backfills set done_at = done_at - interval '4 days'`);
  stage.setTime('2026-11-24T16:00:00Z');
  await stage.marketData.enqueueOverdueJobs();
  assert.deepEqual(await asked(), ['AAPL', 'BRK.B'], 'Friday is missing');
  await stage.db.owner('delete from graphile_worker._private_jobs');
  stage.setTime('2026-11-24T21:40:00Z');
  await stage.run('market-write-closes');
  assert.deepEqual(await asked(), ['AAPL', 'BRK.B']);
  await stage.db.owner('delete from market.recent_closes');
  await stage.db.owner('delete from graphile_worker._private_jobs');
  await stage.marketData.enqueueOverdueJobs();
  assert.deepEqual(await asked(), ['AAPL', 'BRK.B'], 'histories without closes, except funds');
});
