import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { pino } from 'pino';
import { FINNHUB_KEY, startFinnhubFake } from '../../../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, startFmpFake } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { PNG } from '../../../../test/fakes/images.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { injectDocumented } from '../../../../test/support/documented-responses.ts';
import { createMetrics } from '../../../platform/http/metrics.ts';
import { createTestHttpApp } from '../../../../test/support/http-app.ts';
import { createJobs } from '../../../platform/jobs/jobs.ts';
import { createSimulator } from '../../../embedded/market-data/simulator.ts';
import { createMarketData } from '../../market-data.ts';
import type { ProviderSettings } from '../../providers/provider-entries.ts';

const logger = pino({ level: 'silent' });
const now = (): Date => new Date('2026-11-20T16:20:00Z');

async function setUp(t: TestContext, providers: ProviderSettings, db?: Awaited<ReturnType<typeof createTestDatabase>>) {
  const database = db ?? (await createTestDatabase(t));
  const marketData = createMarketData({
    sql: database.database.service,
    jobs: createJobs(database.database),
    logger,
    providers,
    createEmbedded: createSimulator,
    now,
  });
  const app = await createTestHttpApp({
    logger,
    metrics: createMetrics(),
    trustedProxies: [],
    bodyLimit: 1_024,
    requestTimeout: 60_000,
    https: false,
  });
  t.onTestFinished(() => app.close());
  await marketData.register(app);
  return { db: database, marketData, get: (path: string) => injectDocumented(app, path) };
}

const start = {
  async fmp(t: TestContext) {
    const fake = await startFmpFake();
    t.onTestFinished(() => fake.close());
    return { fake, providers: { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute: 10_000 } } };
  },
  async finnhub(t: TestContext) {
    const fake = await startFinnhubFake();
    t.onTestFinished(() => fake.close());
    return { fake, providers: { finnhub: { key: FINNHUB_KEY, baseUrl: fake.url, callsPerMinute: 10_000 } } };
  },
};

for (const name of ['fmp', 'finnhub'] as const) {
  test(`${name} fetches the logo of a company once for concurrent requests and serves it`, async (t) => {
    const { fake, providers } = await start[name](t);
    const { marketData, get } = await setUp(t, providers);
    const registered = await marketData.registerSymbol('AAPL');
    assert.ok(registered.ok);
    assert.deepEqual([registered.ticker.logo, registered.ticker.logo_source], ['/api/logos/registry/AAPL', 'registry']);
    fake.requests.length = 0;
    const answers = await Promise.all(Array.from({ length: 6 }, () => get(registered.ticker.logo!)));
    for (const answer of [...answers, await get(registered.ticker.logo!)]) {
      assert.equal(answer.statusCode, 200);
      assert.deepEqual(answer.rawPayload, PNG);
      assert.equal(answer.headers['content-type'], 'image/png');
      assert.match(String(answer.headers['cache-control']), /public, max-age=604800/);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    }
    assert.equal(fake.requests.length, 1);
    fake.failWith('a server error');
    assert.deepEqual((await get(registered.ticker.logo!)).rawPayload, PNG);
  });

  test(`${name} returns 204 and retries after a day when the image is unavailable`, async (t) => {
    const { fake, providers } = await start[name](t);
    const { db, marketData, get } = await setUp(t, providers);
    fake.state.images.set('AAPL.png', {
      headers: { 'content-type': 'image/png' },
      body: '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
    });
    await marketData.registerSymbol('AAPL');
    fake.requests.length = 0;
    for (let round = 0; round < 3; round += 1) assert.equal((await get('/api/logos/registry/AAPL')).statusCode, 204);
    assert.equal(fake.requests.length, 1);
    fake.state.images.set('AAPL.png', { body: PNG });
    await db.owner(`update market.logos set tried_at = tried_at - interval '25 hours'`);
    assert.equal((await get('/api/logos/registry/AAPL')).statusCode, 200);
  });
}

test("shows the issuer's badge when the logo of a fund is unavailable", async (t) => {
  const { providers } = await start.fmp(t);
  const { marketData, get } = await setUp(t, providers);
  const registered = await marketData.registerSymbol('VOO');
  assert.ok(registered.ok && registered.ticker.logo_source === 'registry');
  const answer = await get(registered.ticker.logo!);
  assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'image/svg+xml']);
  assert.equal(answer.body, (await get('/api/logos/vanguard.svg')).body);
});

describe('logos of sample securities', { tags: ['slow'] }, () => {
  async function setUpSimulator(t: TestContext) {
    const market = await setUp(t, {});
    await market.marketData.seed();
    const rows = await market.db.owner<{ symbol: string; logo: string | null; logo_source: string | null }>(
      'select symbol, logo, logo_source from public.tracked_tickers_latest',
    );
    return { ...market, rows, registered: rows.filter(({ logo_source: source }) => source === 'registry') };
  }

  test('exist for every listing', async (t) => {
    const { rows, registered } = await setUpSimulator(t);

    assert.deepEqual(
      rows.filter(({ logo, logo_source: source }) => logo === null || source === null),
      [],
    );
    assert.ok(registered.length >= 100 && registered.length < rows.length);
  });

  test("are the issuer's badge for a fund", async (t) => {
    const { get } = await setUpSimulator(t);

    assert.equal((await get('/api/logos/registry/VOO')).body, (await get('/api/logos/vanguard.svg')).body);
  });

  test('are empty for an unknown symbol and missing for an invalid one', async (t) => {
    const { get } = await setUpSimulator(t);

    const { statusCode, body, headers } = await get('/api/logos/registry/NOSUCH');
    assert.deepEqual([statusCode, body, headers['cache-control']], [204, '', 'public, max-age=60']);
    for (const path of ['..%2f..%2fpackage.json', 'AAPL%00', '%00', '__proto__'])
      assert.equal((await get(`/api/logos/registry/${path}`)).statusCode, 404, path);
  });

  test("are replaced with the provider's logo, if it has one", async (t) => {
    const { db } = await setUpSimulator(t);
    const { fake, providers } = await start.fmp(t);
    const { get } = await setUp(t, providers, db);

    assert.deepEqual((await get('/api/logos/registry/AAPL')).rawPayload, PNG);
    assert.deepEqual(
      fake.requests.map(({ path }) => path),
      ['/profile', '/image-stock/AAPL.png'],
    );
    assert.equal((await get('/api/logos/registry/NVDA')).statusCode, 204, 'unknown to the provider');
  });
});
