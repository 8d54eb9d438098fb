import { queryFirstRow } from './query-first-row.ts';
import type { Handle } from './roles.ts';

/** The last complete backup of this database. */
export interface LastBackup {
  succeeded_at: Date;
  table_count: number;
  row_count: number;
}

/** Records a complete backup. Needs the service's or the owner's rights. */
export async function recordBackup(
  sql: Pick<Handle, 'query'>,
  { succeeded_at, table_count, row_count }: LastBackup,
): Promise<void> {
  await sql.query(
    `insert into tally.last_backup (succeeded_at, table_count, row_count) values ($1, $2, $3)
     on conflict (only_row) do update
     set succeeded_at = excluded.succeeded_at, table_count = excluded.table_count, row_count = excluded.row_count`,
    [succeeded_at, table_count, row_count],
  );
}

/** Waits until no other session holds the lock of backups, and holds it until the session ends. */
export async function lockBackups(sql: Pick<Handle, 'query'>): Promise<void> {
  await sql.query('set statement_timeout = 0');
  await sql.query(`select pg_advisory_lock(hashtextextended('tally-backup', 0))`);
}

/** Returns the last complete backup, or undefined if there was none. */
export const readLastBackup = (sql: Pick<Handle, 'query'>) =>
  queryFirstRow<LastBackup>(
    sql,
    'select succeeded_at, table_count, row_count::float8 as row_count from tally.last_backup',
  );
