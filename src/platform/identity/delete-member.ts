import type { ServiceSql } from '../database/roles.ts';
import type { Slice } from '../../slice.ts';
import { deleteMemberRow, insertTombstone, lockMember } from './queries.ts';

/**
 * Deletes a member for good, in the caller's transaction: each owner's rows, then the member's row and by cascade what
 * requests wrote meanwhile. A tombstone stays. Safe to repeat; two at once follow one another.
 */
export async function deleteMember(
  sql: ServiceSql,
  idpId: string,
  owners: readonly Pick<Slice, 'onUserDeleted'>[] = [],
): Promise<void> {
  await lockMember(sql, idpId);
  // From the top down, as a change of the watchlist takes its locks: first the list's, then the plan's.
  for (const owner of owners.toReversed()) await owner.onUserDeleted?.(sql, idpId);
  await deleteMemberRow(sql, idpId);
  await insertTombstone(sql, idpId);
}
