import type { ServiceSql } from '../../platform/database/roles.ts';

/** Returns whether a reset created the account's data, so that the next reset may replace the data. */
export async function isResettable(sql: ServiceSql, idpId: string): Promise<boolean> {
  return (await sql.query(`select from public.demo_resets where idp_id = $1`, [idpId])).length > 0;
}

export async function markResettable(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`insert into public.demo_resets (idp_id) values ($1) on conflict do nothing`, [idpId]);
}
