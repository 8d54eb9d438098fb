import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { eventually } from './support/eventually.ts';
import { type Config, loadConfig } from '../src/config/load-config.ts';
import { getProgramVersion, start, runWorker } from '../src/main.ts';

function createConfig(t: TestContext, { urls }: TestDatabase): Config {
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-work-'));
  t.onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const password = decodeURIComponent(/:\/\/[^:]+:([^@]*)@/.exec(urls.service)![1]!);
  return loadConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    PORT: '0',
    DB_URL: urls.authenticator,
    DB_SERVICE_ROLE_KEY: password,
  });
}

const OLD_PRICE =
  'insert into public.tracked_tickers_latest (symbol, asset_type, currency, current_price, price_at, ' +
  `source) values ('AAPL', 'stock', 'USD', 1, now() - interval '30 days', 'simulator')`;
const isPriced = async (db: TestDatabase) =>
  (
    await db.owner(
      `select from public.tracked_tickers_latest where symbol = 'AAPL' and price_at > now() - interval '20 days'`,
    )
  ).length === 1;

test('fetches overdue prices when a separate worker starts', async (t) => {
  const db = await createTestDatabase(t);
  await db.owner(OLD_PRICE);
  const worker = await runWorker(createConfig(t, db));
  try {
    await eventually(() => isPriced(db));
  } finally {
    await worker.stop();
  }
});

/** Opens a server on a free port of the loopback address. */
async function openPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => once(server.close(), 'close') };
}

const METRICS_TOKEN = 'a-token-of-the-metrics';

test('serves health and metrics of a separate worker when WORKER_PORT is set', async (t) => {
  const db = await createTestDatabase(t);
  await db.owner(OLD_PRICE);
  const reserved = await openPort();
  const config = { ...createConfig(t, db), HOST: '127.0.0.1', WORKER_PORT: reserved.port, METRICS_TOKEN };
  await assert.rejects(runWorker(config), /in use by another program; .* set WORKER_PORT to a free port/);
  await reserved.close();
  const worker = await runWorker(config);
  try {
    const url = `http://127.0.0.1:${reserved.port}`;
    const readMetrics = async () =>
      (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text();
    for (const [path, status] of [
      ['/healthz', 200],
      ['/readyz', 200],
      ['/metrics', 401],
      ['/api/watchlist', 404],
    ] as const)
      assert.equal((await fetch(url + path)).status, status, path);
    await eventually(async () =>
      /^tally_job_duration_seconds_count\{.*outcome="done"\} [1-9]/m.test(await readMetrics()),
    );
    const text = await readMetrics();
    assert.ok(text.includes(`\ntally_build_info{version="${getProgramVersion()}"} 1\n`));
    const metrics = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }));
    const own = metrics.filter(({ name }) => !/^(process|nodejs)_/.test(name));
    assert.ok(own.length > 15);
    for (const { name, type } of own) {
      assert.match(name, /^tally_[a-z_]+$/);
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      assert.doesNotMatch(name, /_(ms|milliseconds|minutes|hours|days|kb|mb|percent)(_|$)/);
    }
  } finally {
    await worker.stop();
  }
});

test('runs later jobs when reading overdue prices fails', { tags: ['slow'] }, async (t) => {
  const db = await createTestDatabase(t);
  await db.owner(OLD_PRICE);
  await db.owner('revoke select on public.watchlist_items from service_role');
  for (const run of [() => start(createConfig(t, db)), () => runWorker(createConfig(t, db))]) {
    const running = await run();
    try {
      await db.owner(`update public.tracked_tickers_latest set price_at = now() - interval '30 days'`);
      await db.owner(`select graphile_worker.add_job('market-refresh-symbol', '{"symbol":"AAPL"}')`);
      await eventually(() => isPriced(db));
    } finally {
      await running.stop();
    }
  }
});
