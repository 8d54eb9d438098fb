import type { ServiceSql } from '../../../platform/database/roles.ts';

/** Maximum number of expired rows that each settled lease deletes. */
const MAX_REMOVED_LEASES = 20;

/** Returns the lease of a running call (no result yet) or of a valid result, or `undefined` if the call is free. */
export async function readLease<T>(sql: ServiceSql, name: string): Promise<{ result: T | null } | undefined> {
  const [row] = await sql.query<{ result: T | null }>(
    'select result from market.call_leases where name = $1 and leased_until > now()',
    [name],
  );
  return row;
}

/** Acquires the lease of a call. Returns false if another process was faster. */
export async function acquireLease(sql: ServiceSql, name: string, durationMs: number): Promise<boolean> {
  const rows = await sql.query(
    `insert into market.call_leases as l (name, leased_until) values ($1, now() + $2 * interval '1 millisecond')
       on conflict (name) do update set leased_until = excluded.leased_until, result = null, finished_at = null
         where l.leased_until <= now()
     returning name`,
    [name, durationMs],
  );
  return rows.length > 0;
}

/** Stores the result for a duration, or releases the lease. */
export async function settleLease(sql: ServiceSql, name: string, result: unknown, durationMs: number): Promise<void> {
  await sql.query(
    `with expired as (
       select name from market.call_leases where leased_until < now() - interval '1 hour' and name <> $1
       order by leased_until limit ${MAX_REMOVED_LEASES} for update skip locked
     ), purged as (
       delete from market.call_leases where name in (select name from expired)
     )
     update market.call_leases set result = $2::jsonb, finished_at = now(),
         leased_until = now() + $3 * interval '1 millisecond'
      where name = $1`,
    [name, result === null ? null : JSON.stringify(result), durationMs],
  );
}
