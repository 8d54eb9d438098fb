import type { ServiceSql } from '../database/roles.ts';

/** Members whose ids are greater than `after` and at most `until`. */
export interface MemberRange {
  after: string;
  until: string;
}

/**
 * Returns ranges that cover all members, with about `size` members each. A range ends at each member whose hashed id is
 * divisible by `size`. Thus one statement finds the ends on all servers of a cluster and returns no other members.
 */
export async function listMemberRanges(sql: ServiceSql, size: number): Promise<MemberRange[]> {
  const ends = await sql.query<{ idp_id: string }>(
    `select m.idp_id from public.active_members m where mod(hashtextextended(m.idp_id, 0), $1::bigint) = 0
     union
     select max(m.idp_id) from public.active_members m having max(m.idp_id) is not null
      order by idp_id`,
    [size],
  );
  return ends.map(({ idp_id: until }, index) => ({ after: ends[index - 1]?.idp_id ?? '', until }));
}
