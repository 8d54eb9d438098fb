// @module-tag slow
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { queryAsOwner } from '../test/support/cluster.ts';
import { createTestDatabase } from '../test/support/database.ts';
import { getDatabaseSettings } from '../test/support/service.ts';
import { fileURLToPath } from 'node:url';
import { backUp, restore } from './backup.ts';
import { loadConfig } from './config/load-config.ts';
import { adaptManifest } from './platform/database/backup/adapt-0.1.0.ts';
import { manifestShape } from './platform/database/backup/manifest.ts';
import { startEmbedded } from './platform/database/embedded.ts';
import { listMigrationNames, readMigrations } from './platform/database/migration-files.ts';
import type { FirstRun } from './first-run.ts';
import { getLoginPasswords, readLocalSecrets } from './local-secrets.ts';
import { start } from './main.ts';

/**
 * The output of `tally backup` at commit 2cb5e6ab after a first start without keys, as `tar -czf`. Before the backup,
 * SQL added a browser with one session. It also added eight subscriptions of the first member, one in each status,
 * named after it (`sub_active`). All of them end at 2026-11-20, as 0.1.0 stored it. The passwords and keys in the
 * backup are used nowhere else.
 */
const FIXTURE = fileURLToPath(new URL('../test/fixtures/backup-0.1.0.tar.gz', import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), 'tally-0.1.0-'));
const folder = join(scratch, 'backup-0.1.0');
const quiet = { log: () => {}, warn: () => {} };
const loadConfigFor = (dataDir: string) =>
  loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', WORKER: 'off' });
const readManifest = () => manifestShape.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));

beforeAll(() => {
  execFileSync('tar', ['-xzf', FIXTURE, '-C', scratch]);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('restores and repairs a backup of 0.1.0, and starts a service on it', async () => {
  const dataDir = join(scratch, 'restored');
  await restore(loadConfigFor(dataDir), folder, quiet);
  const server = await startEmbedded({ dataDir, secrets: getLoginPasswords(readLocalSecrets(dataDir)!) });
  try {
    const query = <Row extends object>(text: string) => queryAsOwner<Row>(server.ownerUrl, text);
    for (const { name, rows } of adaptManifest(readManifest(), await readMigrations()).tables)
      assert.deepEqual(await query(`select count(*)::int as rows from ${name}`), [{ rows }], name);
    assert.deepEqual(
      (await query<{ name: string }>('select name from tally.migrations order by name')).map(({ name }) => name),
      await listMigrationNames(),
    );
    assert.deepEqual(await query('select id from public.subscriptions where ended_at is not null order by id'), [
      { id: 'sub_canceled' },
      { id: 'sub_incomplete_expired' },
    ]);
    assert.deepEqual(await query('select client_id from idp.known_devices'), [{ client_id: 'client_a' }]);
    assert.deepEqual(
      await query(`select symbol from public.tracked_tickers_latest
        where logo is null and source = 'simulator' and price_at is not null and symbol ~ '^[A-Z0-9.-]+$'`),
      [],
    );
  } finally {
    await server.stop();
  }
  const service = await start(loadConfigFor(dataDir));
  try {
    const { api_key } = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
    const response = await fetch(`${service.url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { 'x-api-key': api_key, 'svc-version': '2023-06-01', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'claude-sonnet-5', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    assert.equal(response.status, 200);
  } finally {
    await service.stop();
  }
});

test('treats a backup of a 0.1.0 database as one of 0.1.0 when this version made it', async (t) => {
  const old = await createTestDatabase(t);
  await old.owner(`
    insert into tally.migrations values ('20260905_01_plans.sql', 'of 0.1.0');
    insert into public.all_users (idp_id) values ('user_a')`);
  const config = loadConfig({
    ...getDatabaseSettings(old),
    DB_OWNER_URL: old.ownerUrl,
    DATA_DIR: join(scratch, 'unused'),
  });
  const backup = join(scratch, 'by-this-version');
  await backUp(config, backup);
  const dataDir = join(scratch, 'external');
  await assert.rejects(
    restore(loadConfigFor(dataDir), backup, quiet),
    /a backup of an external database: restore it with DB_URL/,
  );
  const empty = await createTestDatabase(t, { template: 'template0' });
  const target = loadConfig({
    ...getDatabaseSettings(empty),
    DB_OWNER_URL: empty.ownerUrl,
    DATA_DIR: join(scratch, 'unused'),
  });
  await restore(target, backup, quiet);
  assert.deepEqual(await empty.owner('select idp_id from public.all_users'), [{ idp_id: 'user_a' }]);
  assert.deepEqual(await empty.owner(`select from tally.migrations where name = '20260905_01_plans.sql'`), []);
});

test('restores tables, columns and sequences of 0.1.0 under their new names', async () => {
  const adapted = adaptManifest(readManifest(), await readMigrations(), {
    'public.accounts': 'public.portfolios',
    'public.accounts.mask': 'last_digits',
    'public.referral_audit_id_seq': 'public.sync_numbers',
  });
  const accounts = adapted.tables.find(({ name }) => name === 'public.portfolios');
  assert.equal(accounts?.file, 'public.accounts.copy.gz');
  assert.ok(accounts.columns.includes('last_digits') && !accounts.columns.includes('mask'));
  assert.ok(adapted.sequences.some(({ name }) => name === 'public.sync_numbers'));
  const unchanged = { ...readManifest(), migrations: [{ name: '20270101_01_later.sql', checksum: '' }] };
  assert.equal(adaptManifest(unchanged, await readMigrations()), unchanged);
});
