import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type EmbeddedServer, startEmbedded } from '../../src/platform/database/embedded.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { migrateJobs } from '../../src/platform/jobs/migrate-jobs.ts';
import { queryAsOwner } from './cluster.ts';
import { createFolder } from './memory-folder.ts';
import { prepareData } from './prepared-data.ts';
import { serverSecrets as secrets } from './own-server.ts';

const STREAMING_STATE = { wal_level: 'replica', max_wal_senders: '4' };

export interface Standby {
  primary: EmbeddedServer;
  standby: EmbeddedServer;
  /** Runs SQL as the owner on the primary or the standby. */
  onPrimary<Row extends object>(text: string): Promise<Row[]>;
  onStandby<Row extends object>(text: string): Promise<Row[]>;
  stop(): Promise<void>;
  /** Ends only the standby. */
  endStandby(): Promise<void>;
  /** Waits until the standby has applied everything that the primary contains now. */
  waitUntilCaughtUp(): Promise<void>;
}

/** Starts a migrated server and a standby that streams from it, made from a copy of its files. `stop` removes both. */
export async function startWithStandby(): Promise<Standby> {
  const dataDir = await createFolder('tally-primary-');
  await prepareData(dataDir);
  const primary = await startEmbedded({ dataDir, secrets, settings: STREAMING_STATE, throwaway: true });
  await migrate(primary.ownerUrl, { logins: primary.urls, afterMigrations: migrateJobs });

  const copy = await createFolder('tally-standby-');
  await copyFiles(primary.ownerUrl, dataDir, copy);
  const { host, password } = parseUrl(primary.ownerUrl);
  const standby = await startEmbedded({
    dataDir: copy,
    secrets,
    throwaway: true,
    settings: {
      ...STREAMING_STATE,
      primary_conninfo: `host=${host} user=tally_owner password=${password} dbname=postgres`,
      wal_receiver_status_interval: '1',
      wal_retrieve_retry_interval: '100',
    },
  });
  let ended: Promise<void> | undefined;
  const endStandby = (): Promise<void> => {
    ended ??= standby.stop();
    return ended;
  };
  const [onPrimary, onStandby] = [primary, standby].map(
    ({ ownerUrl }) =>
      (text: string) =>
        queryAsOwner<never>(ownerUrl, text),
  );
  return {
    primary,
    standby,
    onPrimary: onPrimary as Standby['onPrimary'],
    onStandby: onStandby as Standby['onStandby'],
    stop: async () => {
      await Promise.all([endStandby(), primary.stop()]);
    },
    endStandby,
    async waitUntilCaughtUp() {
      const [readWalPosition] = await queryAsOwner<{ at: string }>(
        primary.ownerUrl,
        'select pg_current_wal_lsn()::text as at',
      );
      const hasReached = async (): Promise<boolean> => {
        const [row] = await queryAsOwner<{ reached: boolean }>(
          standby.ownerUrl,
          `select pg_last_wal_replay_lsn() >= '${readWalPosition!.at}' as reached`,
        );
        return row!.reached;
      };
      while (!(await hasReached()));
    },
  };
}

/**
 * Copies the files of a running server like its own backup. `signal` names the file that determines how a server starts
 * on them.
 */
export async function copyFiles(
  ownerUrl: string,
  from: string,
  to: string,
  signal: 'standby.signal' | 'recovery.signal' = 'standby.signal',
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('copy', true)`);
    // The log restores a file that disappears during the copy.
    await promisify(execFile)('cp', ['-a', join(from, 'postgres'), to]).catch(() => {});
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const folder = join(to, 'postgres');
    await promisify(execFile)('rm', ['-f', join(folder, 'postmaster.pid'), join(folder, 'postmaster.opts')]);
    await writeFile(join(folder, 'backup_label'), rows[0]!.labelfile);
    await writeFile(join(folder, signal), '');
    for (const name of ['backup_label', signal])
      await promisify(execFile)('chown', ['--reference', join(folder, 'PG_VERSION'), join(folder, name)]);
  } finally {
    await client.end();
  }
}

function parseUrl(url: string): { host: string; password: string } {
  const [, password, host] = /:\/\/[^:]+:([^@]*)@.*[?&]host=([^&]+)/.exec(url)!;
  return { host: decodeURIComponent(host!), password: decodeURIComponent(password!) };
}
