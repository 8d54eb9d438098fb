import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { type Config, ConfigError } from '../config/load-config.ts';
import { checkRestoreOwner } from '../platform/database/check-logins.ts';
import { loadRows } from '../platform/database/backup/load-rows.ts';
import { BackupError, DamagedFile, type Manifest } from '../platform/database/backup/manifest.ts';
import { checkFiles, readBackup, readBackupFile } from '../platform/database/backup/read-backup.ts';
import { beginRestore, endRestore, runStep } from '../platform/database/backup/restore-progress.ts';
import { writeRows } from '../platform/database/backup/write-backup.ts';
import { ensureDataDirectory, isRestoreUnfinishedIn, RESTORE_FOLDER } from '../platform/database/data-directory.ts';
import { createOwnerClient, toSql } from '../platform/database/disposable-client.ts';
import { isDistributed } from '../platform/database/distribute.ts';
import { renameDurably, syncFolderContent, writeFileDurably } from '../platform/database/durable-files.ts';
import { findNative, readServerVersion } from '../platform/database/embedded-server/binaries.ts';
import { lockBackups, recordBackup } from '../platform/database/last-backup.ts';
import { NoDatabase, withEmbedded } from '../platform/database/embedded.ts';
import { migrate, type MigrateOptions, type MigrateReport } from '../platform/database/migrate.ts';
import { parseJson } from '../platform/http/parse-json.ts';
import { readVersion } from '../platform/http/version.ts';
import { exportedJob, importJobs, exportJobs } from '../platform/jobs/export-jobs.ts';
import { migrateJobs } from '../platform/jobs/migrate-jobs.ts';
import { getExternalUrls } from './open-database.ts';
import {
  adoptSharedSecrets,
  assertSecretsMatchDatabase,
  getLoginPasswords,
  getSecretsPath,
  loadOrCreateLocalSecrets,
  parseLocalSecrets,
  readLocalSecrets,
} from './local-secrets.ts';

/** Files beside the embedded database. Without the secrets, sessions and connections stop working. */
const SECRET_FILES = ['secrets.json', 'first-run.json'];

/** File of the pending jobs in a backup. */
const JOBS_FILE = 'jobs.json';

const NO_CLUSTER =
  'The setting DB_URL names a Citus cluster, whose servers "tally backup" cannot copy at one moment: back up each ' +
  'server with pg_basebackup or pgBackRest, to one moment of citus_create_restore_point(); see ' +
  'docs/how-to/distribute-by-member.md.';

/**
 * Writes a snapshot of the database and the secrets of the data directory into a new folder, while the service runs.
 * The folder appears under its name once it is complete, its files were read again and it survives a power loss. `warn`
 * receives a sentence if the database cannot store the time of the backup. With DB_URL it needs DB_OWNER_URL. Throws
 * `ConfigError` on a cluster.
 */
export async function backUp(config: Config, target: string, warn: (sentence: string) => void): Promise<Manifest> {
  const folder = resolve(target);
  const partial = join(dirname(folder), `.${basename(folder)}.${randomUUID()}.partial`);
  if (existsSync(folder)) throw new BackupError(`${folder} already exists: name a new folder.`);
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    return await withOwnerUrl(config, async (ownerUrl) => {
      if (config.DB_URL !== undefined && (await isDistributed(ownerUrl))) throw new ConfigError(NO_CLUSTER);
      const manifest = await writeRows(ownerUrl, partial, readVersion(), async (sql) => {
        const jobs = JSON.stringify(await exportJobs(sql));
        await writeFile(join(partial, JOBS_FILE), jobs, { mode: 0o600 });
        if (config.DB_URL === undefined) await copyFiles(config.DATA_DIR, partial, SECRET_FILES);
      });
      await checkFiles(partial);
      syncFolderContent(partial);
      renameDurably(partial, folder);
      await storeBackupTime(ownerUrl, manifest).catch((error: Error) =>
        warn(`The backup is complete, but its time for metric and "tally doctor" is not stored: ${error.message}.`),
      );
      return manifest;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * Runs `work` while no other process does so with this database. Another process waits. The lock ends with the process,
 * however it ends.
 */
export const runAloneOnBackups = <Result>(config: Config, work: () => Promise<Result>): Promise<Result> =>
  withOwnerUrl(config, async (ownerUrl) => {
    await using client = createOwnerClient(ownerUrl, 'backup');
    await client.connect();
    await lockBackups(toSql(client));
    return await work();
  });

/** Stores the time of a complete backup in the database, for the metric and the operator. */
async function storeBackupTime(ownerUrl: string, { made_at, tables }: Manifest): Promise<void> {
  await using client = createOwnerClient(ownerUrl, 'backup');
  await client.connect();
  const rowCount = tables.reduce((sum, { rows }) => sum + rows, 0);
  await recordBackup(toSql(client), {
    succeeded_at: new Date(made_at),
    table_count: tables.length,
    row_count: rowCount,
  });
}

/**
 * Runs `work` with the owner's login. The login is that of the embedded server (running or started here) or
 * DB_OWNER_URL.
 */
async function withOwnerUrl<T>(config: Config, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  if (config.DB_URL !== undefined) return work(getOwnerUrl(config));
  assertSecretsMatchDatabase(config.DATA_DIR);
  const secrets = readLocalSecrets(config.DATA_DIR);
  if (!secrets) throw new NoDatabase(config.DATA_DIR);
  const { DATA_DIR: dataDir } = config;
  const attached = { dataDir, secrets: getLoginPasswords(secrets), attach: true, create: false };
  return withEmbedded(attached, ({ ownerUrl }) => work(ownerUrl));
}

/** Returns the owner's URL of the database of DB_URL. Throws `ConfigError` if it is not set. */
export function getOwnerUrl({ DB_OWNER_URL: url }: Config): string {
  if (url === undefined) throw new ConfigError('The setting DB_OWNER_URL must be set: only the owner sees every row.');
  return url;
}

/** Checks that a backup is complete, undamaged and of no newer version. Throws `BackupError` when a check fails. */
export async function verifyBackup(source: string): Promise<Manifest> {
  const folder = resolve(source);
  const manifest = await readBackup(folder);
  await readJobs(folder);
  const secretsPath = getSecretsPath(folder);
  if (existsSync(secretsPath) && parseLocalSecrets(await readBackupFile(secretsPath)) === undefined)
    throw new DamagedFile(secretsPath);
  return manifest;
}

/** Reads the pending jobs of a backup. */
async function readJobs(folder: string): Promise<z.infer<typeof exportedJob>[]> {
  const path = join(folder, JOBS_FILE);
  const { data: jobs } = z.array(exportedJob).safeParse(parseJson(await readBackupFile(path)));
  if (jobs === undefined) throw new DamagedFile(path);
  return jobs;
}

/** Throws `BackupError` if the backup's PostgreSQL has a newer major version than the server that it is restored on. */
function refuseNewerServer(manifest: Manifest, version: string): void {
  if (Number.parseInt(manifest.postgres, 10) > Number.parseInt(version, 10))
    throw new BackupError(
      `The backup is of PostgreSQL ${manifest.postgres}, which is newer than ${version} here: restore it on that version.`,
    );
}

/**
 * Restores a backup into an empty place and applies newer migrations afterwards. The place is a DATA_DIR without a
 * database, or a database from DB_URL without migrations. An interrupted restore leaves a mark, with which no service
 * starts, and continues with the same backup. Throws `BackupError` if the place is not empty or the backup is
 * incomplete, damaged or newer, and `ConfigError` if DB_OWNER_URL lacks a privilege.
 */
export async function restore(config: Config, source: string, report: MigrateReport): Promise<Manifest> {
  const folder = resolve(source);
  const manifest = await verifyBackup(folder);
  if (config.DB_URL === undefined) await restoreEmbedded(config, folder, manifest, report);
  else await restoreExternal(config, folder, manifest, report);
  return manifest;
}

async function restoreExternal(
  config: Config,
  folder: string,
  manifest: Manifest,
  report: MigrateReport,
): Promise<void> {
  const ownerUrl = getOwnerUrl(config);
  const violation = await checkRestoreOwner(ownerUrl);
  if (violation !== undefined) throw new ConfigError(violation);
  refuseNewerServer(manifest, await readExternalVersion(ownerUrl));
  await loadBackup(ownerUrl, folder, manifest, { ...report, logins: getExternalUrls(config) });
}

async function readExternalVersion(ownerUrl: string): Promise<string> {
  await using client = createOwnerClient(ownerUrl, 'restore');
  await client.connect();
  const [server] = await toSql(client).query<{ server_version: string }>('show server_version');
  return server!.server_version;
}

async function restoreEmbedded(
  { DATA_DIR: dataDir, DEMO_ACCOUNT_IDP_USER_ID: demoAccountId }: Config,
  folder: string,
  manifest: Manifest,
  report: MigrateReport,
): Promise<void> {
  refuseNewerServer(manifest, await readServerVersion(await findNative()));
  ensureDataDirectory(dataDir);
  await removeUnfinishedRestore(dataDir);
  if ((await readdir(dataDir)).length > 0)
    throw new BackupError(`${resolve(dataDir)} is not empty: name another DATA_DIR, or move its content away.`);
  const scratch = join(dataDir, RESTORE_FOLDER);
  await mkdir(scratch, { mode: 0o700 });
  try {
    const names = manifest.files.map(({ file }) => file);
    await copyFiles(
      folder,
      scratch,
      SECRET_FILES.filter((name) => names.includes(name)),
    );
    const hasSecrets = readLocalSecrets(scratch) !== undefined;
    const secrets = getLoginPasswords(loadOrCreateLocalSecrets(scratch));
    await withEmbedded({ dataDir: scratch, secrets }, async ({ ownerUrl, urls }) => {
      await loadBackup(ownerUrl, folder, manifest, { ...report, logins: urls });
      if (hasSecrets) return;
      await using client = createOwnerClient(ownerUrl, 'restore');
      await client.connect();
      await adoptSharedSecrets(scratch, toSql(client), demoAccountId ?? null);
    });
    // The database is moved last: until then the start finds an unfinished restore.
    for (const name of [...SECRET_FILES, 'postgres'])
      if (existsSync(join(scratch, name))) renameDurably(join(scratch, name), join(dataDir, name));
  } finally {
    await removeUnfinishedRestore(dataDir);
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Removes what an interrupted or failed restore has left in the data directory, which was empty before. */
async function removeUnfinishedRestore(dataDir: string): Promise<void> {
  if (!isRestoreUnfinishedIn(dataDir)) return;
  for (const name of SECRET_FILES) await rm(join(dataDir, name), { force: true });
  await rm(join(dataDir, RESTORE_FOLDER), { recursive: true, force: true });
}

/** Creates the schema of the backup's version, loads rows and jobs, and applies newer migrations. */
async function loadBackup(
  ownerUrl: string,
  folder: string,
  manifest: Manifest,
  options: MigrateOptions,
): Promise<void> {
  const jobs = await readJobs(folder);
  await using client = createOwnerClient(ownerUrl, 'restore');
  await client.connect();
  const sql = toSql(client);
  const step = await beginRestore(sql, manifest.made_at);
  if (step === 'begun') {
    const onlyFiles = new Set(manifest.migrations.map(({ name }) => name));
    await migrate(ownerUrl, { ...options, onlyFiles, log: () => {} });
    await runStep(sql, 'rows', () => loadRows(client, folder, manifest));
  }
  await migrate(ownerUrl, { ...options, afterMigrations: migrateJobs });
  if (step !== 'jobs') await runStep(sql, 'jobs', () => importJobs(sql, jobs));
  await endRestore(sql);
}

/** Copies the files that exist. */
async function copyFiles(from: string, to: string, names: readonly string[]): Promise<void> {
  for (const name of names)
    if (existsSync(join(from, name))) writeFileDurably(join(to, name), await readFile(join(from, name)));
}
