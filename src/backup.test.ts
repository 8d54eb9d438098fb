// @module-tag slow
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { isDeepStrictEqual } from 'node:util';
import { queryAsOwner, withDatabase } from '../test/support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts';
import { prepareData } from '../test/support/prepared-data.ts';
import { getDatabaseSettings } from '../test/support/service.ts';
import { backUp, restore } from './backup.ts';
import { type Config, loadConfig } from './config/load-config.ts';
import { startEmbedded } from './platform/database/embedded.ts';
import { migrate } from './platform/database/migrate.ts';
import { listMigrationNames } from './platform/database/migration-files.ts';
import type { FirstRun } from './first-run.ts';
import { migrateJobs } from './platform/jobs/migrate-jobs.ts';
import { getLoginPasswords, readLocalSecrets } from './local-secrets.ts';
import { start } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'tally-backup-'));
const quiet = { log: () => {}, warn: () => {} };
const loadConfigFor = (dataDir: string) =>
  loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', WORKER: 'off' });
const original = join(folder, 'original');
const copy = join(folder, 'backup');

/** Returns one digest of the rows of each table, in any order, and the next value of each sequence. */
const DIGESTS = `
  select format('%I.%I', n.nspname, c.relname) as name,
         (xpath('/row/d/text()', query_to_xml(format(
           'select md5(string_agg(md5(t::text), '''' order by md5(t::text))) as d from %I.%I t', n.nspname, c.relname),
           false, true, '')))[1]::text as digest
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and n.nspname in ('public', 'tally', 'auth', 'assistant')
     and c.oid not in ('tally.migrations'::regclass, 'tally.last_backup'::regclass, 'tally.operator_sessions'::regclass) order by 1`;
const JOBS = `
  select t.identifier, j.payload, j.key, j.max_attempts - j.attempts as tries
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`;

async function readAll(dataDir: string): Promise<object> {
  const secrets = getLoginPasswords(readLocalSecrets(dataDir)!);
  const server = await startEmbedded({ dataDir, secrets, attach: true });
  try {
    return { tables: await queryAsOwner(server.ownerUrl, DIGESTS), jobs: await queryAsOwner(server.ownerUrl, JOBS) };
  } finally {
    await server.stop();
  }
}

describe('backup and restore', () => {
  let savedData: object = [];
  let database: TestDatabase;
  const createdDatabases: string[] = [];
  beforeAll(async () => {
    await prepareData(original);
    const service = await start(loadConfigFor(original));
    const firstRun = JSON.parse(readFileSync(join(original, 'first-run.json'), 'utf8')) as FirstRun;
    assert.ok(firstRun.members.length > 0);
    // Events of the first start arrive in the background. The loop waits until two reads are equal.
    for (let before = {}; !isDeepStrictEqual(before, savedData); savedData = await readAll(original)) {
      rmSync(copy, { recursive: true, force: true });
      before = await readAll(original);
      await backUp(loadConfigFor(original), copy);
    }
    await service.stop();
    database = await createTestDatabase();
  });
  /** Creates an empty database beside the test's own, and returns the settings of a service on it. */
  async function makeDatabase(suffix: string): Promise<Config> {
    const settings = getDatabaseSettings(database);
    const name = `${new URL(database.ownerUrl.replace('@/', '@socket/')).pathname.slice(1)}_${suffix}`;
    await queryAsOwner(database.ownerUrl, `create database ${name}`);
    createdDatabases.push(name);
    return loadConfig({
      ...settings,
      DB_URL: withDatabase(settings.DB_URL, name),
      DB_OWNER_URL: withDatabase(database.ownerUrl, name),
      DATA_DIR: join(folder, 'unused'),
    });
  }

  afterAll(async () => {
    for (const name of createdDatabases) await queryAsOwner(database.ownerUrl, `drop database ${name} with (force)`);
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test(
    'restores what was backed up while the service ran, and starts a service on it',
    { tags: ['slow'] },
    async () => {
      const target = join(folder, 'restored');
      const manifest = await restore(loadConfigFor(target), copy, quiet);
      assert.ok(manifest.tables.some(({ name, rows }) => name === 'public.watchlist_items' && rows > 20));
      assert.deepEqual(await readAll(target), savedData);
      assert.deepEqual(
        readdirSync(target).filter((name) => name.startsWith('restoring')),
        [],
      );
      const service = await start(loadConfigFor(target));
      try {
        const { api_key } = JSON.parse(readFileSync(join(target, 'first-run.json'), 'utf8')) as FirstRun;
        const response = await fetch(`${service.url}/v1/messages/count_tokens`, {
          method: 'POST',
          headers: { 'x-api-key': api_key, 'svc-version': '2023-06-01', 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'claude-sonnet-5', messages: [{ role: 'user', content: 'Hello' }] }),
        });
        assert.equal(response.status, 200);
      } finally {
        await service.stop();
      }
    },
  );

  test('creates files that only the owner can read, and keeps an existing folder', async () => {
    assert.equal(statSync(copy).mode & 0o777, 0o700);
    for (const file of readdirSync(copy)) assert.equal(statSync(join(copy, file)).mode & 0o777, 0o600, file);
    await assert.rejects(backUp(loadConfigFor(original), copy), /already exists/);
  });

  test('restores a backup of the embedded database on an external server', { tags: ['slow'] }, async () => {
    const config = await makeDatabase('moved');
    await restore(config, copy, quiet);
    assert.deepEqual(await queryAsOwner(config.DB_OWNER_URL!, DIGESTS), (savedData as { tables: object[] }).tables);
    await assert.rejects(restore(config, copy, quiet), /already in use/);
  });

  test('restores a backup of an external database into a data directory', { tags: ['slow'] }, async () => {
    const external = await makeDatabase('external');
    await restore(external, copy, quiet);
    const shared = `insert into tally.shared_secrets (name, value) values ('idp_secret_key', 'sk_live_shared')`;
    await queryAsOwner(external.DB_OWNER_URL!, shared);
    await backUp(external, join(folder, 'of-external'));
    const target = join(folder, 'from-external');

    await restore(loadConfigFor(target), join(folder, 'of-external'), quiet);

    const { jobs } = savedData as { jobs: object[] };
    assert.deepEqual(((await readAll(target)) as { jobs: object[] }).jobs, jobs);
    assert.equal(readLocalSecrets(target)!.idp_secret_key, 'sk_live_shared');
    const service = await start(loadConfigFor(target));
    try {
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
      assert.equal(existsSync(join(target, 'first-run.json')), false, 'the first start seeds nothing');
    } finally {
      await service.stop();
    }
  });

  test('applies later migrations when the backup is of an older version', { tags: ['slow'] }, async () => {
    const names = await listMigrationNames();
    const last = names.pop()!;
    const older = await makeDatabase('older');
    await migrate(older.DB_OWNER_URL!, { onlyFiles: new Set(names), afterMigrations: migrateJobs });
    await queryAsOwner(older.DB_OWNER_URL!, `insert into public.all_users (idp_id) values ('user_older')`);
    await backUp(older, join(folder, 'older'));
    const newer = await makeDatabase('newer');
    const lines: string[] = [];
    await restore(newer, join(folder, 'older'), { ...quiet, log: (line) => lines.push(line) });
    assert.deepEqual(lines, [`Applied ${last}.`]);
    assert.equal((await queryAsOwner(newer.DB_OWNER_URL!, 'select idp_id from public.all_users')).length, 1);
  });

  test('rejects a damaged, newer or invalid backup before it writes anything', async () => {
    const target = join(folder, 'refused');
    const attemptRestore = () => restore(loadConfigFor(target), copy, quiet);
    await assert.rejects(restore(loadConfigFor(target), join(folder, 'nowhere'), quiet), /contains no backup/);
    const manifest = readFileSync(join(copy, 'manifest.json'), 'utf8');
    writeFileSync(join(copy, 'manifest.json'), '{"format":"tally-backup-9"}');
    await assert.rejects(attemptRestore(), /another format/);
    writeFileSync(join(copy, 'manifest.json'), manifest.replace('"name": "2', '"name": "9'));
    await assert.rejects(attemptRestore(), /newer version/);
    writeFileSync(join(copy, 'manifest.json'), manifest);
    const rows = join(copy, 'public.watchlist_items.copy.gz');
    const content = readFileSync(rows);
    appendFileSync(rows, 'x');
    await assert.rejects(attemptRestore(), /missing or damaged/);
    writeFileSync(rows, content);
    assert.equal(existsSync(target), false);
    await assert.rejects(restore(loadConfigFor(original), copy, quiet), /not empty/);
  });

  test('leaves nothing behind when a restore fails half-way', { tags: ['slow'] }, async () => {
    const target = join(folder, 'failed');
    const jobs = readFileSync(join(copy, 'jobs.json'), 'utf8');
    writeFileSync(join(copy, 'jobs.json'), '[{"task":"no such field"}]');
    await assert.rejects(restore(loadConfigFor(target), copy, quiet));
    writeFileSync(join(copy, 'jobs.json'), jobs);
    assert.deepEqual(readdirSync(target), []);
  });
});
