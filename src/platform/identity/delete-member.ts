import type { ServiceSql } from '../database/roles.ts';
import type { Feature } from '../../feature.ts';
import { deleteJobsOfMember } from '../jobs/queries.ts';
import { deleteMemberRow, insertTombstone, lockMember, startDeletion } from './queries.ts';

/**
 * Deletes a member in the caller's transaction. It deletes each owner's rows and the jobs about the member, then the
 * member's row with concurrent writes by cascade. A tombstone remains. Safe to repeat, and concurrent calls run one after another.
 */
export async function deleteMember(
  sql: ServiceSql,
  idpId: string,
  owners: readonly Pick<Feature, 'onUserDeleted'>[] = [],
): Promise<void> {
  // Before every other lock, so that nothing waits for a deletion that waits.
  await startDeletion(sql, idpId);
  await lockMember(sql, idpId);
  // Reverse order, equal to the lock order of a watchlist change: first the list, then the plan.
  for (const owner of owners.toReversed()) await owner.onUserDeleted?.(sql, idpId);
  await deleteJobsOfMember(sql, idpId);
  await deleteMemberRow(sql, idpId);
  await insertTombstone(sql, idpId);
}
