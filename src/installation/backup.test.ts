// @module-tag slow
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
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
import { countWithFirstKey } from '../../test/support/count-with-first-key.ts';
import { queryAsOwner, withDatabase } from '../../test/support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { recordDiskCalls } from '../../test/support/record-disk-calls.ts';
import { getDatabaseSettings } from '../../test/support/service.ts';
import { backUp, restore, verifyBackup } from './backup.ts';
import { type Config, ConfigError, loadConfig } from '../config/load-config.ts';
import { BackupError, computeManifestDigest, type Manifest } from '../platform/database/backup/manifest.ts';
import { startEmbedded } from '../platform/database/embedded.ts';
import { migrate } from '../platform/database/migrate.ts';
import { listMigrationNames } from '../platform/database/migration-files.ts';
import type { FirstRun } from './first-run.ts';
import { migrateJobs } from '../platform/jobs/migrate-jobs.ts';
import { getLoginPasswords, readLocalSecrets } from './local-secrets.ts';
import { start } from '../main.ts';

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
    const service = await start(loadConfigFor(original));
    const firstRun = JSON.parse(readFileSync(join(original, 'first-run.json'), 'utf8')) as FirstRun;
    assert.ok(firstRun.members.length > 0);
    // Events of the first start arrive in the background. The loop waits until two reads are equal.
    for (let before = {}; !isDeepStrictEqual(before, savedData); savedData = await readAll(original)) {
      rmSync(copy, { recursive: true, force: true });
      before = await readAll(original);
      await backUp(loadConfigFor(original), copy, assert.fail);
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

  test('starts a service on what was backed up while another ran', async () => {
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
      assert.equal(await countWithFirstKey(service.url, target), 200);
    } finally {
      await service.stop();
    }
  });

  test('creates files that only the owner can read', async () => {
    assert.equal(statSync(copy).mode & 0o777, 0o700);
    for (const file of readdirSync(copy)) assert.equal(statSync(join(copy, file)).mode & 0o777, 0o600, file);
    await assert.rejects(backUp(loadConfigFor(original), copy, assert.fail), /already exists/);
  });

  test('writes a backup and restores it so that both survive a power loss', async (t) => {
    const calls = recordDiskCalls(t);
    const durable = join(folder, 'durable');
    await backUp(loadConfigFor(original), durable, assert.fail);
    const renamed = calls.findIndex((call) => call.startsWith('rename ') && call.endsWith(` ${durable}`));
    const [, partial] = calls[renamed]!.split(' ');
    const synced = calls.slice(0, renamed);
    for (const name of readdirSync(durable)) assert.ok(synced.includes(`sync ${join(partial!, name)}`), name);
    assert.deepEqual([synced.at(-1), calls[renamed + 1]], [`sync ${partial}`, `sync ${folder}`]);

    const target = join(folder, 'restored-durably');
    await restore(loadConfigFor(target), durable, quiet);
    const scratch = join(target, 'restoring');
    const moved = ['secrets.json', 'first-run.json', 'postgres'];
    assert.deepEqual(
      calls.slice(-2 * moved.length),
      moved.flatMap((name) => [`rename ${join(scratch, name)} ${join(target, name)}`, `sync ${target}`]),
    );
    for (const name of ['.secrets.json-', '.first-run.json-', 'tally_owner_password-'])
      assert.ok(
        calls.some((call) => call.startsWith(`sync ${scratch}`) && call.includes(name)),
        name,
      );
  });

  test('reports that the database rejects the time of a complete backup', async (t) => {
    const rejecting = await createTestDatabase(t);
    await rejecting.owner('alter table tally.last_backup add constraint no_backups check (false)');
    const config = loadConfig({
      ...getDatabaseSettings(rejecting),
      DB_OWNER_URL: rejecting.ownerUrl,
      DATA_DIR: join(folder, 'unused'),
    });
    const warnings: string[] = [];
    const target = join(folder, 'without-time');
    await backUp(config, target, (line) => warnings.push(line));
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /^The backup is complete, but its time .* is not stored: .*"no_backups"/);
    await verifyBackup(target);
  });

  test('restores a backup of the embedded database on an external server', async () => {
    const config = await makeDatabase('moved');
    await restore(config, copy, quiet);
    assert.deepEqual(await queryAsOwner(config.DB_OWNER_URL!, DIGESTS), (savedData as { tables: object[] }).tables);
    await assert.rejects(restore(config, copy, quiet), /already in use/);
  });

  test('restores a backup of an external database into a data directory', async () => {
    const external = await makeDatabase('external');
    await restore(external, copy, quiet);
    const shared = `insert into tally.shared_secrets (name, value) values ('idp_secret_key', 'sk_live_shared')`;
    await queryAsOwner(external.DB_OWNER_URL!, shared);
    await backUp(external, join(folder, 'of-external'), assert.fail);
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

  test('applies later migrations when the backup is of an older version', async () => {
    const names = await listMigrationNames();
    const last = names.pop()!;
    const older = await makeDatabase('older');
    await migrate(older.DB_OWNER_URL!, { onlyFiles: new Set(names), afterMigrations: migrateJobs });
    await queryAsOwner(older.DB_OWNER_URL!, `insert into public.all_users (idp_id) values ('user_older')`);
    await backUp(older, join(folder, 'older'), assert.fail);
    const newer = await makeDatabase('newer');
    const lines: string[] = [];
    await restore(newer, join(folder, 'older'), { ...quiet, log: (line) => lines.push(line) });
    assert.deepEqual(lines, [`Applied ${last}.`]);
    assert.equal((await queryAsOwner(newer.DB_OWNER_URL!, 'select idp_id from public.all_users')).length, 1);
  });

  /** Returns a copy of the backup with this change of its manifest, for which the checksum is correct. */
  function createChangedBackup(name: string, change: Partial<Manifest>): string {
    const changed = join(folder, name);
    cpSync(copy, changed, { recursive: true });
    const manifest = { ...readManifest(changed), ...change };
    manifest.sha256 = computeManifestDigest(manifest);
    writeFileSync(join(changed, 'manifest.json'), JSON.stringify(manifest));
    return changed;
  }
  const readManifest = (backup: string) => JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as Manifest;

  test('rejects every file that is missing, truncated or altered before it writes anything', async () => {
    const target = join(folder, 'refused');
    const names = readdirSync(copy);
    for (const name of ['manifest.json', 'jobs.json', 'secrets.json', 'first-run.json'])
      assert.ok(names.includes(name));
    for (const name of names) {
      const path = join(copy, name);
      const content = readFileSync(path);
      const middle = Math.floor(content.length / 2);
      const altered = Buffer.from(content);
      altered[middle]! ^= 1;
      for (const [change, damaged] of Object.entries({
        altered,
        truncated: content.subarray(0, middle),
        missing: null,
      })) {
        if (damaged === null) rmSync(path);
        else writeFileSync(path, damaged);
        await assert.rejects(restore(loadConfigFor(target), copy, quiet), (error: Error) => {
          assert.ok(error instanceof BackupError, `${name} ${change}: ${error.stack}`);
          assert.match(
            error.message,
            /^[^\n]+(missing or damaged|damaged or has another format|contains no backup)[^\n]+$/,
          );
          return true;
        });
      }
      writeFileSync(path, content);
    }
    assert.equal(existsSync(target), false);
    assert.deepEqual(await verifyBackup(copy), readManifest(copy));
  });

  test('calls no file damaged that cannot be read', async () => {
    const tableFile = readManifest(copy).tables[0]!.file;
    // Root may read every file, but nobody can read a folder as one.
    const replaceByFolder = async (backup: string, name: string) => {
      rmSync(join(backup, name));
      mkdirSync(join(backup, name));
      await assert.rejects(verifyBackup(backup), (error: Error) => {
        assert.ok(error instanceof BackupError, error.stack);
        assert.match(error.message, new RegExp(`${name} cannot be read \\(EISDIR\\): let this account read it`));
        return true;
      });
    };
    for (const name of [tableFile, 'jobs.json', 'secrets.json', 'manifest.json'])
      await replaceByFolder(createChangedBackup(randomUUID(), {}), name);
  });

  test('rejects a backup or folder that it cannot restore before it writes anything', async () => {
    const target = join(folder, 'refused');
    const attemptRestore = (backup: string) => restore(loadConfigFor(target), backup, quiet);
    await assert.rejects(attemptRestore(join(folder, 'nowhere')), /contains no backup/);
    const { migrations } = readManifest(copy);
    const [first, ...others] = migrations;
    const cases: [Partial<Manifest>, RegExp][] = [
      [{ version: '999.0.0' }, /newer version \(999\.0\.0\)/],
      [{ migrations: [...others, { ...first!, name: '99990101_01_later.sql' }] }, /newer version .*99990101_01_later/],
      [{ postgres: '999.1 (Debian 999.1-1)' }, /PostgreSQL 999\.1 .*newer than 18/],
      [{ format: 'tally-backup-9' as Manifest['format'] }, /another format/],
    ];
    for (const [change, message] of cases)
      await assert.rejects(attemptRestore(createChangedBackup(randomUUID(), change)), message);
    assert.equal(existsSync(target), false);
    await assert.rejects(restore(loadConfigFor(original), copy, quiet), /not empty/);
  });

  test('refuses a backup of a newer PostgreSQL than the external server', async () => {
    const config = await makeDatabase('old_server');
    const newer = createChangedBackup('newer-server', { postgres: '999.1' });
    await assert.rejects(restore(config, newer, quiet), /PostgreSQL 999\.1, which is newer than 18/);
    assert.deepEqual(
      await queryAsOwner(config.DB_OWNER_URL!, `select nspname from pg_namespace where nspname = 'tally'`),
      [],
    );
  });

  test('refuses a backup and a database of 0.1.0 and names the version between', async () => {
    const migrations = [{ name: '20260905_01_plans.sql', checksum: 'of 0.1.0' }];
    const target = join(folder, 'from-0.1.0');
    await assert.rejects(
      restore(loadConfigFor(target), createChangedBackup('of-0.1.0', { migrations }), quiet),
      /is a backup of version 0\.1\.0: upgrade to 0\.2\.0 first/,
    );
    assert.equal(existsSync(target), false);
    const old = await makeDatabase('of_0_1_0');
    await migrate(old.DB_OWNER_URL!);
    await queryAsOwner(old.DB_OWNER_URL!, `insert into tally.migrations values ('20260905_01_plans.sql', 'of 0.1.0')`);
    await assert.rejects(
      backUp(old, join(folder, 'by-this-version'), assert.fail),
      /is of version 0\.1\.0: upgrade to 0\.2\.0 first/,
    );
  });

  test('refuses a Citus cluster and names what to use', async () => {
    const config = await makeDatabase('citus');
    // An entry in the catalog, as the extension creates it.
    await queryAsOwner(
      config.DB_OWNER_URL!,
      `set allow_system_table_mods = on;
       insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
       values (4000000000, 'citus', 10, 'pg_catalog'::regnamespace, false, '13.0')`,
    );
    const target = join(folder, 'of-cluster');
    await assert.rejects(backUp(config, target, assert.fail), (error: Error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /Citus cluster.*pg_basebackup.*citus_create_restore_point.*distribute-by-member\.md/);
      return true;
    });
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('of-cluster')),
      [],
    );
  });

  test('leaves nothing behind when a restore fails half-way', async () => {
    const target = join(folder, 'failed');
    const tables = readManifest(copy).tables.map((table) => ({ ...table, rows: table.rows + 1 }));
    await assert.rejects(
      restore(loadConfigFor(target), createChangedBackup('wrong-rows', { tables }), quiet),
      /rows instead of/,
    );
    assert.deepEqual(readdirSync(target), []);
  });
});
