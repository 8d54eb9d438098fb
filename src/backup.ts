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

/** What stands beside the embedded database: without the secrets no session and no connection goes on. */
const SECRET_FILES = ['secrets.json', 'first-run.json'];

/** A folder of our own inside the data directory, which may be a mount point that nothing can be renamed to. */
const RESTORE_FOLDER = 'restoring';

/**
 * Writes everything that the database holds at this moment, and the data directory's secrets, into a new folder, beside
 * a running service. The folder appears under its name when it is whole. With DB_URL it needs DB_OWNER_URL.
 */
export async function backUp(config: Config, target: string): Promise<Manifest> {
  const folder = resolve(target);
  const partial = join(dirname(folder), `.${basename(folder)}.${process.pid}.partial`);
  if (await pathExists(folder)) throw new BackupError(`${folder} is there already: name a new folder.`);
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

/** Runs `work` on the owner's login: of the embedded server, a running service's or its own, or of DB_OWNER_URL. */
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
 * Puts a backup into an empty place: a DATA_DIR without a database, or, with DB_URL, a database in which nothing was
 * migrated. What a newer version's migrations change is applied to it afterwards. Throws `BackupError` where there is
 * no such place or the backup is not whole; a restore that fails leaves the place empty.
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
  await rm(scratch, { recursive: true, force: true }); // of a restore that was killed
  if ((await readdir(dataDir)).length > 0)
    throw new BackupError(`${resolve(dataDir)} is not empty: name another DATA_DIR, or move what it holds away.`);
  await mkdir(scratch, { mode: 0o700 });
  try {
    await copyFiles(folder, scratch);
    const secrets = readLocalSecrets(scratch);
    if (!secrets) throw new BackupError(`${folder} is of a database of its own: restore it with DB_URL.`);
    await withEmbedded({ dataDir: scratch, secrets: getLoginPasswords(secrets) }, ({ ownerUrl, urls }) =>
      loadBackup(ownerUrl, folder, manifest, { ...report, logins: urls }),
    );
    for (const name of [...SECRET_FILES, 'postgres'])
      if (await pathExists(join(scratch, name))) await rename(join(scratch, name), join(dataDir, name));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Makes the schema of the backup's time, fills it, and brings it up to date. */
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
    throw new BackupError('The database is in use already: restore into one in which nothing was migrated.');
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
