// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { FMP_KEY, createFmpQuote, startFmpFake } from './fakes/fmp/fmp-fake.ts';
import { eventually } from './support/eventually.ts';
import { startService } from './support/service.ts';

const startWith = (fake: { url: string }, settings: Record<string, string> = {}) =>
  startService({ FMP_API_KEY: FMP_KEY, ...settings }, undefined, { marketUrls: { fmp: fake.url } });

test('calls no provider at the first start and leaves that to a job', async (t) => {
  const fake = await startFmpFake();
  t.onTestFinished(() => fake.close());
  const service = await startWith(fake, { WORKER: 'off' });
  t.onTestFinished(() => service.stop());
  assert.equal(service.firstRun.members.length, 3);
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  assert.deepEqual(fake.requests, []);
  const [job] = await service.database.owner<{ payload: object }>(
    `select payload from graphile_worker._private_jobs where key = 'seed-first-run'`,
  );
  assert.doesNotMatch(JSON.stringify(job!.payload), /password|@/);
});

for (const fault of ['no answer at all', 'an HTML page with 200', 'a wrong key'] as const)
  test(`loads the data once the provider that sends ${fault} responds`, async (t) => {
    const fake = await startFmpFake();
    t.onTestFinished(() => fake.close());
    fake.state.quotes.set('AAPL', createFmpQuote('AAPL', 232.8, 228.02));
    fake.failWith(fault);
    const service = await startWith(fake);
    t.onTestFinished(() => service.stop());
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    const { owner } = service.database;
    const readLists = () =>
      owner<{ symbol: string }>(
        `select distinct symbol from public.watchlist_items where symbol in ('AAPL', 'VOO', 'BRK.B') order by symbol`,
      );
    await eventually(() => fake.requests.length > 0);
    assert.deepEqual(await readLists(), []);
    fake.failWith(undefined);
    await eventually(async () => (await readLists()).length === 3);
    const demo = service.firstRun.demo_account_idp_user_id;
    await eventually(
      async () => (await owner(`select from public.watchlist_items where idp_id = $1`, [demo])).length > 0,
    );
    const [holdingsRow] = await owner<{ holdings: number }>(
      `select count(*)::int as holdings from public.manual_public_holdings where symbol = 'AAPL'`,
    );
    assert.ok(holdingsRow!.holdings >= service.firstRun.members.length);
  });
