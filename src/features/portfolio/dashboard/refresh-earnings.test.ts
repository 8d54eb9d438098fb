import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { pino } from 'pino';
import { MARKET_HOURS_TIME, setUpMarketFixture, type MarketFixture } from '../../../../test/support/market-fixture.ts';
import { createJobs } from '../../../platform/jobs/jobs.ts';
import { createSimulator } from '../../../embedded/market-data/simulator.ts';
import { createMarketData } from '../../../market-data/market-data.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import { listEarnings } from './list-earnings.ts';

const now = (): Date => new Date(MARKET_HOURS_TIME);

/** Adds these companies to the catalog. */
async function listed(t: TestContext, symbols: readonly string[]): Promise<MarketFixture> {
  const fixture = await setUpMarketFixture(t);
  await fixture.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency)
     select unnest($1::text[]), 'stock', 'USD'`,
    [symbols],
  );
  return fixture;
}

/** Creates a market on this database without provider keys. */
const createSimulatedMarket = ({ db: { database } }: MarketFixture): MarketDataService =>
  createMarketData({
    sql: database.service,
    jobs: createJobs(database),
    logger: pino({ level: 'silent' }),
    providers: {},
    createEmbedded: createSimulator,
    now,
  });

const table = async ({ db }: MarketFixture): Promise<string[]> =>
  (
    await db.owner<{ line: string }>(
      `select symbol || ' ' || date || case when sample then ' sample' else '' end as line from public.earnings
       order by 1`,
    )
  ).map(({ line }) => line);

test('stores a moved report once, also when some companies could not be requested', async (t) => {
  const symbols = Array.from({ length: 30 }, (_, index) => `S${String(index + 10)}`);
  const fixture = await listed(t, symbols);
  const { state } = fixture.fake;
  state.plan = 'free'; // One company per request, 25 in one run.
  const refreshOnce = async (): Promise<void> => {
    await fixture.marketData.refreshEarnings(symbols);
    await fixture.db.owner(`update market.earnings_cache set fetched_at = fetched_at - interval '13 hours'`);
  };
  state.earnings = symbols.map((symbol) => ({ symbol, date: '2026-12-01' }));
  await refreshOnce();
  assert.equal((await table(fixture)).length, 25);
  await refreshOnce();
  assert.deepEqual(
    await table(fixture),
    symbols.map((symbol) => `${symbol} 2026-12-01`),
  );

  state.earnings = symbols.map((symbol) => ({ symbol, date: '2026-12-08' }));
  // The table is newer than an old copy for a company that is not requested this time.
  await fixture.db.owner(`update public.earnings set date = '2026-12-09' where symbol = 'S29'`);
  await refreshOnce();
  const moved = (await table(fixture)).filter((line) => line.endsWith('12-08'));
  assert.deepEqual(
    [moved.length, (await table(fixture)).length, (await table(fixture)).find((line) => line.startsWith('S29'))],
    [25, 30, 'S29 2026-12-09'],
    'the requested companies have only the new date, and the others keep theirs',
  );
  await refreshOnce();
  assert.deepEqual(
    await table(fixture),
    symbols.map((symbol) => `${symbol} 2026-12-08`),
  );
});

test('keeps the reports of a day until it ends in New York', async (t) => {
  const fixture = await listed(t, ['AAPL']);
  fixture.fake.state.earnings = [{ symbol: 'AAPL', date: '2026-11-20' }];
  for (const time of ['2026-11-21T04:59:00Z', '2026-11-21T05:00:00Z']) {
    await fixture.db.owner('delete from public.earnings');
    fixture.setTime(time);
    await fixture.marketData.refreshEarnings(['AAPL']);
    assert.deepEqual(await table(fixture), time < '2026-11-21T05' ? ['AAPL 2026-11-20'] : [], time);
  }
});

test('keeps simulated reports apart from real ones', async (t) => {
  const fixture = await listed(t, ['AAPL', 'KO']);
  const sql = fixture.db.database.service;
  const simulated = createSimulatedMarket(fixture);
  await fixture.db.owner(`insert into public.earnings (symbol, date) values ('AAPL', '2027-01-30')`);
  await simulated.refreshEarnings(['AAPL', 'KO']);
  await fixture.db.owner(
    `update public.tracked_tickers_latest set current_price = 1, price_at = now(), source = 'simulator'
      where symbol = 'KO'`,
  );
  const rowsAfterRefresh = await table(fixture);
  assert.equal(rowsAfterRefresh[0], 'AAPL 2027-01-30');
  assert.deepEqual(
    [rowsAfterRefresh.length, /^KO .* sample$/.test(rowsAfterRefresh[1]!)],
    [2, true],
    rowsAfterRefresh.join(),
  );
  const isSample = async (held: string[], watched: string[] = []) =>
    (await listEarnings({ sql, market: fixture.marketData, now }, { held, watched })).sample_data;
  assert.deepEqual(
    [await isSample(['AAPL']), await isSample(['AAPL', 'KO'])],
    [false, true],
    'whatever provider is configured now',
  );
  assert.equal((await listEarnings({ sql, market: simulated, now }, { held: [], watched: ['KO'] })).sample_data, true);

  fixture.fake.state.earnings.push({ symbol: 'KO', date: '2027-02-09' });
  await fixture.marketData.refreshEarnings(['AAPL', 'KO']);
  assert.deepEqual(await table(fixture), ['AAPL 2027-01-28', 'KO 2027-02-09'], 'real ones take their place');
});

test('keeps newer rows of the table over an old response while keys are missing', async (t) => {
  const fixture = await listed(t, ['AAPL']);
  const simulated = createSimulatedMarket(fixture);
  await fixture.db.owner(
    `insert into market.earnings_cache (symbol, fetched_at, sample, reports)
     values ('AAPL', now() - interval '13 hours', false,
       '[{"date":"2026-12-10","when":"amc","eps_estimate":1,"estimated":false}]')`,
  );
  await fixture.db.owner(`insert into public.earnings (symbol, date) values ('AAPL', '2026-12-17')`);
  const { reports, complete } = await simulated.earnings(['AAPL'], { from: '2026-11-20', to: '2027-02-18' });
  assert.deepEqual(
    [reports.map(({ date }) => date), complete],
    [['2026-12-17'], true],
    'the table was written later, and no provider need be asked',
  );
  await simulated.refreshEarnings(['AAPL']);
  assert.deepEqual(await table(fixture), ['AAPL 2026-12-17']);

  await fixture.db.owner(`update market.earnings_cache set fetched_at = now() - interval '11 hours'`);
  await simulated.refreshEarnings(['AAPL']);
  assert.deepEqual(await table(fixture), ['AAPL 2026-12-10'], 'one of these twelve hours counts, whichever gave it');
});
