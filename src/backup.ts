import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { type Config, ConfigError } from './config/load-config.ts';
import { loadRows } from './platform/database/backup/load-rows.ts';
import { BackupError, type Manifest } from './platform/database/backup/manifest.ts';
import { readBackup } from './platform/database/backup/read-backup.ts';
import { writeRows } from './platform/database/backup/write-backup.ts';
import { ensureDataDirectory } from './platform/database/data-directory.ts';
import { NoDatabase, withEmbedded } from './platform/database/embedded.ts';
import { migrate, type MigrateOptions, type MigrateReport } from './platform/database/migrate.ts';
import { readVersion } from './platform/http/version.ts';
import { exportedJob, importJobs, exportJobs } from './platform/jobs/export-jobs.ts';
import { migrateJobs } from './platform/jobs/migrate-jobs.ts';
import { getLoginPasswords, readLocalSecrets } from './local-secrets.ts';

/** Files beside the embedded database. Without the secrets, sessions and connections stop working. */
const SECRET_FILES = ['secrets.json', 'first-run.json'];

/**
 * Our own folder inside the data directory. The data directory may be a mount point, onto which nothing can be renamed.
 */
const RESTORE_FOLDER = 'restoring';

/**
 * Writes a snapshot of the database and the secrets of the data directory into a new folder, while the service runs.
 * The folder appears under its name once it is complete. With DB_URL it needs DB_OWNER_URL.
 */
export async function backUp(config: Config, target: string): Promise<Manifest> {
  const folder = resolve(target);
  const partial = join(dirname(folder), `.${basename(folder)}.${process.pid}.partial`);
  if (await pathExists(folder)) throw new BackupError(`${folder} already exists: name a new folder.`);
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const manifest = await withOwnerUrl(config, (ownerUrl) =>
      writeRows(ownerUrl, partial, readVersion(), async (sql) => {
        const jobs = JSON.stringify(await exportJobs(sql));
        await writeFile(join(partial, 'jobs.json'), jobs, { mode: 0o600 });
      }),
    );
    if (config.DB_URL === undefined) await copyFiles(config.DATA_DIR, partial);
    await rename(partial, folder);
    return manifest;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * Runs `work` with the owner's login. The login is that of the embedded server (running or started here) or
 * DB_OWNER_URL.
 */
async function withOwnerUrl<T>(config: Config, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  if (config.DB_URL !== undefined) return work(getOwnerUrl(config));
  const secrets = readLocalSecrets(config.DATA_DIR);
  if (!secrets) throw new NoDatabase(config.DATA_DIR);
  const { DATA_DIR: dataDir } = config;
  const attached = { dataDir, secrets: getLoginPasswords(secrets), attach: true, create: false };
  return withEmbedded(attached, ({ ownerUrl }) => work(ownerUrl));
}

function getOwnerUrl({ DB_OWNER_URL: url }: Config): string {
  if (url === undefined) throw new ConfigError('The setting DB_OWNER_URL must be set: only the owner sees every row.');
  return url;
}

/**
 * Restores a backup into an empty place and applies newer migrations afterwards. The place is a DATA_DIR without a
 * database, or a database from DB_URL without migrations. Throws `BackupError` if the place is not empty or the backup
 * is incomplete. A failed restore leaves the place empty.
 */
export async function restore(config: Config, source: string, report: MigrateReport): Promise<Manifest> {
  const folder = resolve(source);
  const manifest = await readBackup(folder);
  await (config.DB_URL === undefined
    ? restoreEmbedded(config.DATA_DIR, folder, manifest, report)
    : loadBackup(getOwnerUrl(config), folder, manifest, report));
  return manifest;
}

async function restoreEmbedded(
  dataDir: string,
  folder: string,
  manifest: Manifest,
  report: MigrateReport,
): Promise<void> {
  ensureDataDirectory(dataDir);
  const scratch = join(dataDir, RESTORE_FOLDER);
  await rm(scratch, { recursive: true, force: true }); // left by a killed restore
  if ((await readdir(dataDir)).length > 0)
    throw new BackupError(`${resolve(dataDir)} is not empty: name another DATA_DIR, or move its content away.`);
  await mkdir(scratch, { mode: 0o700 });
  try {
    await copyFiles(folder, scratch);
    const secrets = readLocalSecrets(scratch);
    if (!secrets) throw new BackupError(`${folder} is a backup of an external database: restore it with DB_URL.`);
    await withEmbedded({ dataDir: scratch, secrets: getLoginPasswords(secrets) }, ({ ownerUrl, urls }) =>
      loadBackup(ownerUrl, folder, manifest, { ...report, logins: urls }),
    );
    for (const name of [...SECRET_FILES, 'postgres'])
      if (await pathExists(join(scratch, name))) await rename(join(scratch, name), join(dataDir, name));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Creates the schema of the backup's version, loads the rows, and applies newer migrations. */
async function loadBackup(
  ownerUrl: string,
  folder: string,
  manifest: Manifest,
  options: MigrateOptions,
): Promise<void> {
  const jobs = z.array(exportedJob).parse(JSON.parse(await readFile(join(folder, 'jobs.json'), 'utf8')));
  const onlyFiles = new Set(manifest.migrations.map(({ name }) => name));
  const { applied } = await migrate(ownerUrl, { ...options, onlyFiles, log: () => {} });
  if (applied.length !== onlyFiles.size)
    throw new BackupError('The database is already in use: restore into one without migrations.');
  await loadRows(ownerUrl, folder, manifest);
  await migrate(ownerUrl, {
    ...options,
    afterMigrations: async (owner) => {
      await migrateJobs(owner);
      await importJobs(owner, jobs);
    },
  });
}

async function copyFiles(from: string, to: string): Promise<void> {
  for (const name of SECRET_FILES) {
    if (!(await pathExists(join(from, name)))) continue;
    await cp(join(from, name), join(to, name));
    await chmod(join(to, name), 0o600);
  }
}

const pathExists = async (path: string): Promise<boolean> =>
  (await readdir(dirname(path)).catch((): string[] => [])).includes(basename(path));
