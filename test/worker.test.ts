import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestDatabase } from './support/database.ts';
import { eventually } from './support/eventually.ts';
import { loadConfig } from '../src/config.ts';
import { work } from '../src/main.ts';

test('a worker that runs alone fetches at its start what came due while nothing ran', async (t) => {
  const db = await createTestDatabase(t);
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-work-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  await db.owner(`insert into public.tracked_tickers_latest (symbol, asset_type, currency, current_price, price_at, source) values ('AAPL', 'stock', 'USD', 1, now() - interval '30 days', 'simulator')`);
  const { authenticator, service } = db.urls;
  const worker = await work(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', DB_URL: authenticator, DB_SERVICE_ROLE_KEY: decodeURIComponent(/:\/\/[^:]+:([^@]*)@/.exec(service)![1]!) }));
  try {
    await eventually(async () => (await db.owner(`select from public.tracked_tickers_latest where symbol = 'AAPL' and price_at > now() - interval '20 days'`)).length === 1);
  } finally {
    await worker.stop();
  }
});
