import type { ServiceSql } from '../../platform/database/roles.ts';

/** Whether the account's data were made by a reset of ours, so that the next one may replace them. */
export async function isResettable(sql: ServiceSql, idpId: string): Promise<boolean> {
  return (await sql.query(`select from public.demo_resets where idp_id = $1`, [idpId])).length > 0;
}

export async function markResettable(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`insert into public.demo_resets (idp_id) values ($1) on conflict do nothing`, [idpId]);
}
