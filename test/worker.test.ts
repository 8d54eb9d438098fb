import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { eventually } from './support/eventually.ts';
import { type Config, loadConfig } from '../src/config/load-config.ts';
import { start, runWorker } from '../src/main.ts';

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

test(
  'starts service and worker when reading overdue prices fails, and runs later jobs',
  { tags: ['slow'] },
  async (t) => {
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
  },
);
