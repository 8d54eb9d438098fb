import type { Handle } from '../roles.ts';
import { BackupError } from './manifest.ts';

/** A completed step of a restore: the schema of the backup's version, its rows, its jobs. */
export type RestoreStep = 'begun' | 'rows' | 'jobs';

type Sql = Pick<Handle, 'query'>;

/** Table that exists from the begin of a restore to its end, and so keeps the service from starting. */
const PROGRESS = 'tally.restore_progress';

/** A number that nothing else in the database locks: "restor" in ASCII. */
const RESTORE_LOCK_KEY = 0x726573746f72;

/** Advice for a database whose restore was interrupted, as the end of a sentence. */
export const UNFINISHED_RESTORE_HINT = 'run "tally restore" with the same backup again, or create the database again';

/** Returns whether a restore of this database was begun and has not finished. */
export async function isRestoreUnfinished(sql: Sql): Promise<boolean> {
  // The catalog shows the table also to logins without a right on its schema.
  const [row] = await sql.query<{ unfinished: boolean }>(`
    select exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                    where n.nspname || '.' || c.relname = '${PROGRESS}') as unfinished`);
  return row!.unfinished;
}

/**
 * Marks an empty database as being restored, or continues an interrupted restore of the same backup. Returns the last
 * completed step. `backup` identifies the backup. The lock of the connection keeps a second restore out. Throws
 * `BackupError` if the database is in use.
 */
export async function beginRestore(sql: Sql, backup: string): Promise<RestoreStep> {
  const [lock] = await sql.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [RESTORE_LOCK_KEY]);
  if (!lock!.held) throw new BackupError('Another restore of this database is running: wait until it has ended.');
  if (await isRestoreUnfinished(sql)) return readStep(sql, backup);
  const [ledger] = await sql.query<{ exists: boolean }>(`select to_regclass('tally.migrations') is not null as exists`);
  if (ledger!.exists) throw new BackupError('The database is already in use: restore into one without migrations.');
  await sql.query('create schema if not exists tally');
  await sql.query(`create table ${PROGRESS} as select $1::text as backup, 'begun'::text as step`, [backup]);
  return 'begun';
}

async function readStep(sql: Sql, backup: string): Promise<RestoreStep> {
  const [progress] = await sql.query<{ backup: string; step: RestoreStep }>(`select backup, step from ${PROGRESS}`);
  if (progress?.backup === backup) return progress.step;
  throw new BackupError(
    'The restore of another backup into this database was interrupted: name that backup, or create the database again.',
  );
}

/** Runs a step of a restore and records it as completed, in one transaction. After an error, close the connection. */
export async function runStep(sql: Sql, step: RestoreStep, work: () => Promise<void>): Promise<void> {
  await sql.query('begin');
  await work();
  await sql.query(`update ${PROGRESS} set step = $1`, [step]);
  await sql.query('commit');
}

/** Removes the mark, so that the service may start on the database. */
export const endRestore = async (sql: Sql): Promise<void> => {
  await sql.query(`drop table ${PROGRESS}`);
};
