import type { ServiceSql } from '../database/roles.ts';
import { deleteMemberRow, insertTombstone, lockMember } from './queries.ts';

/**
 * Deletes a member for good, in the caller's transaction: what the slices keep (`onUserDeleted`), the member's row with whatever requests of
 * theirs wrote meanwhile, by cascade. A tombstone stays. Safe to repeat; two at once follow one another.
 */
export async function deleteMember(
  sql: ServiceSql,
  idpId: string,
  onUserDeleted?: (sql: ServiceSql, idpId: string) => Promise<void>,
): Promise<void> {
  await lockMember(sql, idpId);
  await onUserDeleted?.(sql, idpId);
  await deleteMemberRow(sql, idpId);
  await insertTombstone(sql, idpId);
}
