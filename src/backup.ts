import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { type Config, WrongSetting } from './config/load-config.ts';
import { loadRows } from './platform/database/backup/load-rows.ts';
import { BackupRefused, type Manifest } from './platform/database/backup/manifest.ts';
import { readBackup } from './platform/database/backup/read-backup.ts';
import { writeRows } from './platform/database/backup/write-backup.ts';
import { makeDataDirectory } from './platform/database/data-directory.ts';
import { NoDatabase, withEmbedded } from './platform/database/embedded.ts';
import { migrate, type MigrateOptions, type MigrateReport } from './platform/database/migrate.ts';
import { readVersion } from './platform/http/version.ts';
import { carriedJob, carryJobs, readJobs } from './platform/jobs/carry-jobs.ts';
import { migrateJobs } from './platform/jobs/migrate-jobs.ts';
import { passwordsOf, readLocalSecrets } from './local-secrets.ts';

/** What stands beside the embedded database: without the secrets no session and no connection goes on. */
const FILES = ['secrets.json', 'first-run.json'];

/** A folder of our own inside the data directory, which may be a mount point that nothing can be renamed to. */
const RESTORING = 'restoring';

/**
 * Writes everything that the database holds at this moment, and the data directory's secrets, into a new folder, beside
 * a running service. The folder appears under its name when it is whole. With DB_URL it needs DB_OWNER_URL.
 */
export async function backUp(config: Config, target: string): Promise<Manifest> {
  const folder = resolve(target);
  const partial = join(dirname(folder), `.${basename(folder)}.${process.pid}.partial`);
  if (await exists(folder)) throw new BackupRefused(`${folder} is there already: name a new folder.`);
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const manifest = await withOwner(config, (ownerUrl) =>
      writeRows(ownerUrl, partial, readVersion(), async (sql) => {
        const jobs = JSON.stringify(await readJobs(sql));
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
async function withOwner<T>(config: Config, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  if (config.DB_URL !== undefined) return work(ownerOf(config));
  const secrets = readLocalSecrets(config.DATA_DIR);
  if (!secrets) throw new NoDatabase(config.DATA_DIR);
  const { DATA_DIR: dataDir } = config;
  const attached = { dataDir, secrets: passwordsOf(secrets), attach: true, create: false };
  return withEmbedded(attached, ({ ownerUrl }) => work(ownerUrl));
}

function ownerOf({ DB_OWNER_URL: url }: Config): string {
  if (url === undefined) throw new WrongSetting('The setting DB_OWNER_URL must be set: only the owner sees every row.');
  return url;
}

/**
 * Puts a backup into an empty place: a DATA_DIR without a database, or, with DB_URL, a database in which nothing was
 * migrated. What a newer version's migrations change is applied to it afterwards. Throws `BackupRefused` where there is
 * no such place or the backup is not whole; a restore that fails leaves the place empty.
 */
export async function restore(config: Config, source: string, report: MigrateReport): Promise<Manifest> {
  const folder = resolve(source);
  const manifest = await readBackup(folder);
  await (config.DB_URL === undefined
    ? restoreEmbedded(config.DATA_DIR, folder, manifest, report)
    : fill(ownerOf(config), folder, manifest, report));
  return manifest;
}

async function restoreEmbedded(
  dataDir: string,
  folder: string,
  manifest: Manifest,
  report: MigrateReport,
): Promise<void> {
  makeDataDirectory(dataDir);
  const scratch = join(dataDir, RESTORING);
  await rm(scratch, { recursive: true, force: true }); // of a restore that was killed
  if ((await readdir(dataDir)).length > 0)
    throw new BackupRefused(`${resolve(dataDir)} is not empty: name another DATA_DIR, or move what it holds away.`);
  await mkdir(scratch, { mode: 0o700 });
  try {
    await copyFiles(folder, scratch);
    const secrets = readLocalSecrets(scratch);
    if (!secrets) throw new BackupRefused(`${folder} is of a database of its own: restore it with DB_URL.`);
    await withEmbedded({ dataDir: scratch, secrets: passwordsOf(secrets) }, ({ ownerUrl, urls }) =>
      fill(ownerUrl, folder, manifest, { ...report, logins: urls }),
    );
    for (const name of [...FILES, 'postgres'])
      if (await exists(join(scratch, name))) await rename(join(scratch, name), join(dataDir, name));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Makes the schema of the backup's time, fills it, and brings it up to date. */
async function fill(ownerUrl: string, folder: string, manifest: Manifest, options: MigrateOptions): Promise<void> {
  const jobs = z.array(carriedJob).parse(JSON.parse(await readFile(join(folder, 'jobs.json'), 'utf8')));
  const only = new Set(manifest.migrations.map(({ name }) => name));
  const { applied } = await migrate(ownerUrl, { ...options, only, log: () => {} });
  if (applied.length !== only.size)
    throw new BackupRefused('The database is in use already: restore into one in which nothing was migrated.');
  await loadRows(ownerUrl, folder, manifest);
  await migrate(ownerUrl, {
    ...options,
    afterwards: async (owner) => {
      await migrateJobs(owner);
      await carryJobs(owner, jobs);
    },
  });
}

async function copyFiles(from: string, to: string): Promise<void> {
  for (const name of FILES) {
    if (!(await exists(join(from, name)))) continue;
    await cp(join(from, name), join(to, name));
    await chmod(join(to, name), 0o600);
  }
}

const exists = async (path: string): Promise<boolean> =>
  (await readdir(dirname(path)).catch((): string[] => [])).includes(basename(path));
