import assert from 'node:assert/strict';
import { test } from 'vitest';
import { pino } from 'pino';
import { FMP_KEY, startFmpFake } from '../../../test/fakes/fmp/fmp-fake.ts';
import { createAccount, startInvestmentsApp } from '../../../test/support/investments-app.ts';
import { createJobs } from '../../platform/jobs/jobs.ts';
import { createSimulator } from '../../embedded/market-data/simulator.ts';
import { createMarketData } from '../../market-data/market-data.ts';
import type { NetWorthResponse } from './contract.ts';
import { seedInvestments } from './seed-investments.ts';
import { recordDailySnapshots } from './record-snapshots.ts';

test('marks the value of sample prices and leaves no dip when they end', async (t) => {
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
  const recordSnapshotAt = async (instant: string): Promise<void> => {
    time = new Date(instant);
    await recordDailySnapshots({ sql: app.database.service, calendar: market.calendar, now });
  };
  const fetchHistory = async (member = 'user_a'): Promise<[days: string[], sample: boolean]> => {
    const { currencies, sample_data: sample } = (await app.call('GET', '/api/net-worth', member))
      .body as NetWorthResponse;
    return [currencies.flatMap(({ history }) => history.map(({ date }) => date)), sample];
  };
  await recordSnapshotAt('2026-11-18T22:30:00Z');
  await recordSnapshotAt('2026-11-19T22:30:00Z');
  assert.deepEqual(await fetchHistory(), [['2026-11-18', '2026-11-19'], true]);

  // A key is set, and the first real prices are still pending when the day ends.
  await market.enqueueOverdueJobs();
  await recordSnapshotAt('2026-11-20T22:30:00Z');
  assert.deepEqual(
    await fetchHistory(),
    [['2026-11-18', '2026-11-19'], true],
    'no dip, and what is shown is sample data though no price is any more',
  );
  assert.deepEqual(
    await fetchHistory('user_b'),
    [['2026-11-18', '2026-11-19', '2026-11-20'], false],
    'cash waits for no price',
  );

  await market.refreshNow(['AAPL']);
  await recordSnapshotAt('2026-11-21T22:30:00Z');
  assert.deepEqual(await fetchHistory(), [[], false], 'KO has none yet');
  await app.owner(`update market.quote_checks set sample_dropped_at = sample_dropped_at - interval '8 days'`);
  await recordSnapshotAt('2026-11-22T22:30:00Z');
  await recordSnapshotAt('2026-11-23T22:30:00Z');
  assert.deepEqual(
    await fetchHistory(),
    [['2026-11-22', '2026-11-23'], false],
    'KO has no price: it is left out, as any holding without one',
  );
  await app.owner(`delete from public.manual_public_holdings`);
  assert.deepEqual(
    await fetchHistory(),
    [['2026-11-22', '2026-11-23'], false],
    'what was real does not bring back what was not',
  );
});

test('marks the first run’s year of net worth as sample data, except cash', async (t) => {
  const app = await startInvestmentsApp();
  t.onTestFinished(() => app.close());
  await createAccount(app, 'user_b', { balance: 5 });
  await seedInvestments(app.database.service, ['user_a', 'user_b'], '2026-10-14');
  const sampleFlags = await app.owner(`select idp_id, sample from public.net_worth_snapshots group by 1, 2 order by 1`);
  assert.deepEqual(sampleFlags, [
    { idp_id: 'user_a', sample: true },
    { idp_id: 'user_b', sample: false },
  ]);
});
