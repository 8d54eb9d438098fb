import type { ServiceSql } from '../database/roles.ts';

export interface FlagRow {
  flag: string;
  percentage: number;
  /** Members for whom the flag is on, and off, independent of its share. */
  on_for: string[];
  off_for: string[];
  updated_at: Date;
}

/** Returns a flag's share and the setting of the member, if any. Returns no row for an unknown flag. */
export function selectFlagFor(sql: ServiceSql, flag: string, idpId: string) {
  return sql.query<Pick<FlagSetting, 'percentage' | 'enabled'>>(
    `select f.percentage, m.enabled
       from public.feature_flags f left join public.feature_flag_members m on m.flag = f.flag and m.idp_id = $2
      where f.flag = $1`,
    [flag, idpId],
  );
}

/** One row per flag and member with a setting. `idp_id` and `enabled` are null if the flag has no such member. */
interface FlagSetting {
  flag: string;
  percentage: number;
  idp_id: string | null;
  enabled: boolean | null;
}

/** Returns all flags with all member settings, at most `maxRows` rows. */
export function selectSettings(sql: ServiceSql, maxRows: number): Promise<FlagSetting[]> {
  return sql.query<FlagSetting>(
    `select f.flag, f.percentage, m.idp_id, m.enabled
       from public.feature_flags f left join public.feature_flag_members m on m.flag = f.flag limit $1`,
    [maxRows],
  );
}

/** Returns every flag by name with its members. */
export function selectFlags(sql: ServiceSql): Promise<FlagRow[]> {
  return sql.query<FlagRow>(
    `select f.flag, f.percentage, f.updated_at,
            coalesce(array_agg(m.idp_id order by m.idp_id) filter (where m.enabled), '{}') as on_for,
            coalesce(array_agg(m.idp_id order by m.idp_id) filter (where not m.enabled), '{}') as off_for
       from public.feature_flags f left join public.feature_flag_members m on m.flag = f.flag
      group by f.flag order by f.flag`,
  );
}

/** Sets the share of members in percent and creates the flag if missing. */
export async function upsertFlag(sql: ServiceSql, flag: string, percentage: number): Promise<void> {
  await sql.query(
    `insert into public.feature_flags (flag, percentage) values ($1, $2)
     on conflict (flag) do update set percentage = excluded.percentage, updated_at = excluded.updated_at`,
    [flag, percentage],
  );
}

/** Sets the share of an existing flag. Returns `false` if there is none. */
export async function updateFlagShare(sql: ServiceSql, flag: string, percentage: number): Promise<boolean> {
  const rows = await sql.query(
    `update public.feature_flags set percentage = $2, updated_at = now() where flag = $1 returning flag`,
    [flag, percentage],
  );
  return rows.length > 0;
}

/**
 * Sets the flag for one member. Returns `false` for an unknown member. A missing flag is created, off for other
 * members.
 */
export async function upsertFlagMember(
  sql: ServiceSql,
  flag: string,
  idpId: string,
  enabled: boolean,
): Promise<boolean> {
  return sql.transaction(async (tx) => {
    await tx.query(`insert into public.feature_flags (flag) values ($1) on conflict (flag) do nothing`, [flag]);
    const members = await tx.query(`select from public.active_members u where u.idp_id = $1`, [idpId]);
    if (members.length === 0) return false;
    await tx.query(
      `insert into public.feature_flag_members (flag, idp_id, enabled) values ($1, $2, $3)
       on conflict (flag, idp_id) do update set enabled = excluded.enabled`,
      [flag, idpId, enabled],
    );
    return true;
  });
}

/** Deletes the setting of a member. Returns `false` if there was none. */
export async function deleteFlagMember(sql: ServiceSql, flag: string, idpId: string): Promise<boolean> {
  const rows = await sql.query(
    `delete from public.feature_flag_members where flag = $1 and idp_id = $2 returning flag`,
    [flag, idpId],
  );
  return rows.length > 0;
}

/** Deletes a flag and, by cascade, its member settings. Returns `false` if there was none. */
export async function deleteFlag(sql: ServiceSql, flag: string): Promise<boolean> {
  return (await sql.query(`delete from public.feature_flags where flag = $1 returning flag`, [flag])).length > 0;
}

/** Deletes the settings of a deleted member. */
export async function deleteMemberFlags(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query(`delete from public.feature_flag_members where idp_id = $1`, [idpId]);
}
