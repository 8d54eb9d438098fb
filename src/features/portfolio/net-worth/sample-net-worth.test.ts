import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { pino } from 'pino';
import { FMP_KEY, startFmpFake } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { createAccount, startInvestmentsApp } from '../../../../test/support/investments-app.ts';
import { createJobs } from '../../../platform/jobs/jobs.ts';
import { createSimulator } from '../../../embedded/market-data/simulator.ts';
import { createMarketData } from '../../../market-data/market-data.ts';
import type { NetWorthResponse } from './contract.ts';
import { seedPortfolios } from '../demo/seed-portfolios.ts';
import { recordDailySnapshots } from './record-snapshots.ts';

/**
 * Starts a member with holdings of two stocks at sample prices, and one with cash only. `recordSnapshotAt` sets the
 * clock; `readHistory` returns the days of a member's history and whether it is marked as sample data.
 */
async function startWithSamplePrices(t: TestContext) {
  let time = new Date('2026-11-18T22:30:00Z');
  const now = (): Date => time;
  const app = await startInvestmentsApp({ now });
  const fake = await startFmpFake();
  t.onTestFinished(async () => {
    await Promise.all([app.close(), fake.close()]);
  });
  const market = createMarketData({
    sql: app.database.service,
    jobs: createJobs(app.database),
    logger: pino({ level: 'silent' }),
    providers: { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute: 10_000 } },
    createEmbedded: createSimulator,
    now,
  });
  const account = await createAccount(app, 'user_a', { balance: 7 });
  await createAccount(app, 'user_b', { balance: 5 });
  for (const symbol of ['AAPL', 'KO'])
    await app.call('POST', '/api/investments/holdings', 'user_a', { account_id: account, symbol, quantity: 1 });
  const recordSnapshotAt = async (date: string): Promise<void> => {
    time = new Date(`${date}T22:30:00Z`);
    await recordDailySnapshots({ sql: app.database.service, calendar: market.calendar, now });
  };
  const readHistory = async (member = 'user_a') => {
    const { body } = await app.call('GET', '/api/net-worth', member);
    const { currencies, sample_data: sample } = body as NetWorthResponse;
    return { days: currencies.flatMap(({ history }) => history.map(({ date }) => date)), sample };
  };
  await recordSnapshotAt('2026-11-18');
  await recordSnapshotAt('2026-11-19');
  return { app, market, recordSnapshotAt, readHistory };
}

describe('history of net worth', () => {
  const SAMPLE_HISTORY = { days: ['2026-11-18', '2026-11-19'], sample: true };
  const REAL_HISTORY = { days: ['2026-11-22', '2026-11-23'], sample: false };

  /** Continues until a week after the first real prices, of which KO has none. */
  async function startWithRealPrices(t: TestContext) {
    const { app, market, recordSnapshotAt, readHistory } = await startWithSamplePrices(t);
    await market.enqueueOverdueJobs();
    await recordSnapshotAt('2026-11-20');
    await market.refreshNow(['AAPL']);
    await recordSnapshotAt('2026-11-21');
    const atFirstPrices = await readHistory();
    await app.owner(`update market.quote_checks set sample_dropped_at = sample_dropped_at - interval '8 days'`);
    await recordSnapshotAt('2026-11-22');
    await recordSnapshotAt('2026-11-23');
    return { app, readHistory, atFirstPrices };
  }

  test('is marked while prices are samples', async (t) => {
    const { readHistory } = await startWithSamplePrices(t);

    assert.deepEqual(await readHistory(), SAMPLE_HISTORY);
  });

  test('has no dip when real prices are pending at the end of a day', async (t) => {
    const { market, recordSnapshotAt, readHistory } = await startWithSamplePrices(t);

    await market.enqueueOverdueJobs();
    await recordSnapshotAt('2026-11-20');

    assert.deepEqual(await readHistory(), SAMPLE_HISTORY);
    const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
    assert.deepEqual(await readHistory('user_b'), { days, sample: false }, 'cash waits for no price');
  });

  test('starts anew with real prices, without a holding that has none for a week', async (t) => {
    const { readHistory, atFirstPrices } = await startWithRealPrices(t);

    assert.deepEqual(atFirstPrices, { days: [], sample: false }, 'KO has none yet');
    assert.deepEqual(await readHistory(), REAL_HISTORY);
  });

  test('contains no sample day again when the holdings are deleted', async (t) => {
    const { app, readHistory } = await startWithRealPrices(t);

    await app.owner(`delete from public.manual_public_holdings`);

    assert.deepEqual(await readHistory(), REAL_HISTORY);
  });
});

test('marks the first run’s year of net worth as sample data, except cash', async (t) => {
  const app = await startInvestmentsApp();
  t.onTestFinished(() => app.close());
  await createAccount(app, 'user_b', { balance: 5 });
  await seedPortfolios(app.database.service, ['user_a', 'user_b'], '2026-10-14');
  const sampleFlags = await app.owner(`select idp_id, sample from public.net_worth_snapshots group by 1, 2 order by 1`);
  assert.deepEqual(sampleFlags, [
    { idp_id: 'user_a', sample: true },
    { idp_id: 'user_b', sample: false },
  ]);
});
