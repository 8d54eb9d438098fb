// @module-tag slow
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { countWithFirstKey } from '../../test/support/count-with-first-key.ts';
import { queryAsOwner } from '../../test/support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { eventuallyEquals } from '../../test/support/eventually.ts';
import { getDatabaseSettings } from '../../test/support/service.ts';
import { fileURLToPath } from 'node:url';
import { backUp, restore } from './backup.ts';
import { loadConfig } from '../config/load-config.ts';
import { adaptManifest } from '../platform/database/backup/adapt-0.1.0.ts';
import { manifestShape } from '../platform/database/backup/manifest.ts';
import { startEmbedded } from '../platform/database/embedded.ts';
import { migrate } from '../platform/database/migrate.ts';
import { listMigrationNames, readMigrations } from '../platform/database/migration-files.ts';
import { migrateJobs } from '../platform/jobs/migrate-jobs.ts';
import { getLoginPasswords, readLocalSecrets } from './local-secrets.ts';
import { start } from '../main.ts';

/**
 * The output of `tally backup` at commit 2cb5e6ab after a first start without keys, as `tar -czf`. Before the backup,
 * SQL added a browser with one session. It also added eight subscriptions of the first member, one in each status,
 * named after it (`sub_active`). All of them end at 2026-11-20, as 0.1.0 stored it. The passwords and keys in the
 * backup are used nowhere else.
 */
const FIXTURE = fileURLToPath(new URL('../../test/fixtures/backup-0.1.0.tar.gz', import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), 'tally-0.1.0-'));
const folder = join(scratch, 'backup-0.1.0');
const quiet = { log: () => {}, warn: () => {} };
const loadConfigFor = (dataDir: string) =>
  loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', WORKER: 'off' });
const readManifest = () => manifestShape.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));

/** Names of renamed jobs in 0.1.0 and 0.2.0, with a payload of 0.1.0 that refers to nothing in the backup. */
const RENAMED_JOBS: readonly [oldName: string, newName: string, payload?: object][] = [
  ['billing-end', 'billing-cancel-customer', { customer_id: 'cus_unknown' }],
  ['demo-access-end-session', 'demo-access-revoke-session', { session_id: 'sess_unknown', invitation_id: null }],
  ['end-aggregator-access', 'revoke-aggregator-access', { removal_id: '00000000-0000-4000-8000-000000000000' }],
  ['fill-first-run', 'seed-first-run', { members: [] }],
  ['fill-held-earnings', 'refresh-held-earnings', { symbols: [] }],
  ['market-roll-closes', 'market-write-closes'],
  ['market-tidy', 'market-cleanup'],
  ['sweep-connections', 'sync-overdue-connections'],
  ['take-net-worth-snapshots', 'record-net-worth-snapshots'],
  ['thin-net-worth-snapshots', 'downsample-net-worth-snapshots'],
  ['tidy-analytics', 'cleanup-analytics'],
  ['tidy-assistant', 'cleanup-assistant'],
  ['tidy-embedded-bank', 'cleanup-embedded-bank'],
  ['tidy-embedded-brokerage', 'cleanup-embedded-brokerage'],
  ['tidy-embedded-identity', 'cleanup-embedded-identity'],
  ['tidy-identity', 'cleanup-identity'],
  ['tidy-sandbox-payments', 'cleanup-embedded-payments'],
];

/** Returns a copy of the backup in which each of these jobs is pending. Its key is its old name. */
function createBackupWithJobs(jobs: typeof RENAMED_JOBS): string {
  const copy = join(scratch, 'with-jobs');
  cpSync(folder, copy, { recursive: true });
  const common = { queue: null, run_at: '2026-11-20T12:00:00+00:00', max_attempts: 25, priority: 0 };
  const pending = jobs.map(([task, , payload = {}]) => ({ ...common, task, payload, key: task }));
  writeFileSync(join(copy, 'jobs.json'), JSON.stringify(pending));
  return copy;
}

/** Returns settings of a service on an external database. */
const loadConfigOf = (database: TestDatabase, settings: Record<string, string> = {}) =>
  loadConfig({
    ...getDatabaseSettings(database),
    DB_OWNER_URL: database.ownerUrl,
    DATA_DIR: join(scratch, 'unused'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...settings,
  });

beforeAll(() => {
  execFileSync('tar', ['-xzf', FIXTURE, '-C', scratch]);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('starts a service on a restored backup of 0.1.0', async () => {
  const dataDir = join(scratch, 'restored');
  await restore(loadConfigFor(dataDir), folder, quiet);
  const server = await startEmbedded({ dataDir, secrets: getLoginPasswords(readLocalSecrets(dataDir)!) });
  try {
    const query = <Row extends object>(text: string) => queryAsOwner<Row>(server.ownerUrl, text);
    for (const { name, rows } of adaptManifest(readManifest(), await readMigrations()).tables) {
      // A later migration deletes the delivered webhooks, and the fixture has no others.
      const kept = name === 'idp.webhook_messages' ? 0 : rows;
      assert.deepEqual(await query(`select count(*)::int as rows from ${name}`), [{ rows: kept }], name);
    }
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
    assert.equal(await countWithFirstKey(service.url, dataDir), 200);
  } finally {
    await service.stop();
  }
});

test('treats a backup of a 0.1.0 database as one of 0.1.0 when this version made it', async (t) => {
  const old = await createTestDatabase(t, { template: 'template0' });
  // A database of 0.1.0 has no table of a later migration.
  const { migrations } = adaptManifest(readManifest(), await readMigrations());
  const onlyFiles = new Set(migrations.map(({ name }) => name));
  await migrate(old.ownerUrl, { onlyFiles, afterMigrations: migrateJobs });
  await old.owner(`
    insert into tally.migrations values ('20260905_01_plans.sql', 'of 0.1.0');
    insert into public.all_users (idp_id, referral_link) values ('user_a', 'Qm7XvT3kWz9B')`);
  const backup = join(scratch, 'by-this-version');
  await backUp(loadConfigOf(old), backup, assert.fail);
  const empty = await createTestDatabase(t, { template: 'template0' });
  await restore(loadConfigOf(empty), backup, quiet);
  assert.deepEqual(await empty.owner('select idp_id, referral_link from public.all_users'), [
    { idp_id: 'user_a', referral_link: 'Qm7XvT3kWz9B' },
  ]);
  assert.deepEqual(await empty.owner(`select from tally.migrations where name = '20260905_01_plans.sql'`), []);
});

test('runs pending jobs of 0.1.0 under their new names', async (t) => {
  const database = await createTestDatabase(t, { template: 'template0' });
  const selectJobs = () =>
    database.owner(`select j.key, t.identifier as name from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`);

  await restore(loadConfigOf(database), createBackupWithJobs(RENAMED_JOBS), quiet);
  assert.deepEqual(
    await selectJobs(),
    RENAMED_JOBS.map(([key, name]) => ({ key, name })),
  );

  const service = await start(loadConfigOf(database, { WORKER: 'on' }));
  t.onTestFinished(() => service.stop());
  const keys = RENAMED_JOBS.map(([key]) => key);
  await eventuallyEquals(
    () => database.owner('select key, last_error from graphile_worker._private_jobs where key = any($1)', [keys]),
    [],
  );
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
