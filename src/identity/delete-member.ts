import type { ServiceSql } from '../database/roles.ts';
import { deleteMemberRow, insertTombstone, lockMember } from './queries.ts';

/** Whoever keeps rows of members. */
export interface RowOwner {
  /**
   * Deletes what a deleted member owned, inside the deletion's transaction. What has to end elsewhere (a subscription, a token at an
   * aggregator) is added here as a job that does not need the member. What stays (money, counts) loses the identifier to a random
   * pseudonym, in tables whose comment says so.
   */
  onUserDeleted?(sql: ServiceSql, idpId: string): Promise<void>;
}

/**
 * Deletes a member for good, in the caller's transaction: what each owner keeps, then the member's row with whatever requests of theirs
 * wrote meanwhile, by cascade. A tombstone stays. Safe to repeat; two at once follow one another.
 */
export async function deleteMember(sql: ServiceSql, idpId: string, owners: readonly RowOwner[] = []): Promise<void> {
  await lockMember(sql, idpId);
  // From the top down, as a change of the watchlist takes its locks: first the list's, then the plan's.
  for (const owner of owners.toReversed()) await owner.onUserDeleted?.(sql, idpId);
  await deleteMemberRow(sql, idpId);
  await insertTombstone(sql, idpId);
}
