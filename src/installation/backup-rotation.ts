import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config/load-config.ts';
import type { Manifest } from '../platform/database/backup/manifest.ts';
import { renameDurably } from '../platform/database/durable-files.ts';

/** Name of a backup in a rotation, with its time in UTC. */
const BACKUP_NAME = /^tally-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
/** Folder of a backup that is written or removed. It counts as no backup. */
const PARTIAL_NAME = /^\.tally-\d{8}T\d{6}Z\..*\.partial$/;
const DAY_MS = 86_400_000;
/** Time after which a failed backup is tried again. */
const RETRY_MS = 15 * 60_000;
/** Longest sleep, so that a corrected clock is noticed. */
const MAX_SLEEP_MS = 60_000;

interface RotationOptions {
  folder: string;
  /** Number of complete backups to keep. */
  keep: number;
  /** Writes one backup into a new folder. Rejects if it is not complete. */
  write(target: string): Promise<Manifest>;
  /** Runs the work while no other process works on the backups of this database. */
  runAlone<Result>(work: () => Promise<Result>): Promise<Result>;
  now?: () => Date;
}

interface RotatedBackup {
  path: string;
  manifest: Manifest;
  /** Names of the older backups that were removed. */
  removed: string[];
}

/**
 * Removes what a killed process left, writes a backup into a dated folder of `folder`, then removes the oldest complete
 * backups beyond `keep`.
 */
export const rotateBackups = (options: RotationOptions): Promise<RotatedBackup> =>
  options.runAlone(() => writeAndRotate(options));

async function writeAndRotate({ folder, keep, write, now = getTime }: RotationOptions): Promise<RotatedBackup> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder))
    if (PARTIAL_NAME.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  const path = join(resolve(folder), toBackupName(now()));
  const manifest = await write(path);
  const removed = (await listBackups(folder)).slice(keep);
  for (const name of removed) await removeBackup(folder, name);
  return { path, manifest, removed };
}

/** Removes a backup. If it is interrupted, the rest of the folder has a name that counts as no backup. */
async function removeBackup(folder: string, name: string): Promise<void> {
  const partial = join(folder, `.${name}.removed.partial`);
  renameDurably(join(folder, name), partial);
  await rm(partial, { recursive: true, force: true });
}

interface ScheduleOptions extends RotationOptions {
  /** Time of the day in UTC, HH:MM. */
  time: string;
  report: { done(backup: RotatedBackup): void; failed(error: unknown, nextAttempt: Date): void };
  /** Ends the schedule. A running backup completes first. */
  signal: AbortSignal;
}

/**
 * Backs up every day at a time, and at once if the newest backup is older than the last such time. A failed backup is
 * tried again after 15 minutes, except that a wrong setting rejects with `ConfigError`.
 */
export async function runBackupSchedule({ time, report, signal, ...options }: ScheduleOptions): Promise<void> {
  const { folder, now = getTime } = options;
  let retryAt: Date | undefined;
  while (!signal.aborted) {
    const dueAt = retryAt ?? (await findNextDue(folder, time, now()));
    if (dueAt <= now()) {
      retryAt = undefined;
      try {
        const backup = await options.runAlone(async () => {
          // Another process may have made it meanwhile.
          const isDue = (await findNextDue(folder, time, now())) <= now();
          return isDue ? await writeAndRotate(options) : undefined;
        });
        if (backup) report.done(backup);
      } catch (error) {
        // A wrong setting stays wrong.
        if (error instanceof ConfigError) throw error;
        retryAt = new Date(now().getTime() + RETRY_MS);
        report.failed(error, retryAt);
      }
    } else {
      await sleep(Math.min(dueAt.getTime() - now().getTime(), MAX_SLEEP_MS), undefined, { signal }).catch(() => {});
    }
  }
}

/** Returns the last time of the schedule if no backup was made since, and else the next one. */
async function findNextDue(folder: string, time: string, now: Date): Promise<Date> {
  const today = new Date(`${now.toISOString().slice(0, 10)}T${time}:00Z`);
  const last = today <= now ? today : new Date(today.getTime() - DAY_MS);
  const [newest] = await listBackups(folder);
  return newest === undefined || toTime(newest) < last ? last : new Date(last.getTime() + DAY_MS);
}

/** Returns the names of complete backups, newest first. The manifest is written last. */
async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const complete: string[] = [];
  for (const name of names)
    if (BACKUP_NAME.test(name) && (await exists(join(folder, name, 'manifest.json')))) complete.push(name);
  return complete.toSorted().toReversed();
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
const getTime = (): Date => new Date();
const toBackupName = (time: Date): string => `tally-${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
const toTime = (name: string): Date => new Date(name.replace(BACKUP_NAME, '$1-$2-$3T$4:$5:$6Z'));
