import { addJobInTransaction } from '../../platform/jobs/add-job.ts';
import type { Aggregator, RedirectParams } from './aggregator.ts';
import { type ClaimedAttempt, closeAttempt } from './attempt-queries.ts';
import { type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { findStoredConnectionOfMember, recordSync } from './queries.ts';
import { decryptCredential, decryptReference } from './encrypt-column.ts';
import { SYNC_CONNECTION, syncConnection, syncKey } from './sync-connection.ts';

/** Finishes an attempt to reauthenticate. The connection and its accounts keep their ids and are read immediately. */
export async function finishRepair(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: ClaimedAttempt & { reauthenticates_id: string },
  redirectParams: RedirectParams | undefined,
): Promise<FinishedAttempt | undefined> {
  const { idp_id: idpId, reauthenticates_id: connectionId } = attempt;
  const closeRepair = async (status: 'abandoned' | 'failed', code: string): Promise<FinishedAttempt> => {
    const isClosed = await closeAttempt(ctx.sql, attempt, { state: status, code, connectionId });
    return isClosed ? { status, code, connectionId } : PENDING;
  };
  const stored = await findStoredConnectionOfMember(ctx.sql, idpId, connectionId);
  if (!stored) return closeRepair('abandoned', 'GONE');
  const attemptResult = await aggregator.readAttempt({
    idpId,
    reference: decryptReference(ctx.ring, attempt),
    repairCredential: decryptCredential(ctx.ring, stored),
    redirectParams,
    existingIds: [],
  });
  switch (attemptResult.state) {
    case 'abandoned':
    case 'failed':
      return closeRepair(attemptResult.state, attemptResult.code);
    case 'not-owned':
      return undefined;
    case 'open':
    case 'linked':
    case 'unknown':
      return attempt.is_over ? closeRepair('abandoned', 'EXPIRED') : PENDING;
    case 'repaired':
      return closeRepaired(ctx, attempt, stored.external_id);
  }
}

/** Records that the access works again and reads it immediately, so that the response includes added accounts. */
async function closeRepaired(
  ctx: ConnectionContext,
  attempt: ClaimedAttempt & { reauthenticates_id: string },
  externalId: string,
): Promise<FinishedAttempt> {
  const { idp_id: idpId, reauthenticates_id: connectionId } = attempt;
  const isClosed = await ctx.sql.transaction(async (sql) => {
    if (!(await closeAttempt(sql, attempt, { state: 'connected', connectionId }))) return false;
    await recordSync(sql, { idpId, id: connectionId, externalId, status: 'active', isComplete: false });
    // The job repeats the read in case the read below is interrupted.
    await addJobInTransaction(
      sql,
      SYNC_CONNECTION,
      { connection_id: connectionId, expiring: false },
      { key: syncKey(connectionId) },
    );
    return true;
  });
  if (!isClosed) return PENDING;
  await syncConnection(ctx, { connection_id: connectionId, expiring: false }).catch((err: unknown) =>
    ctx.logger.warn({ err, connection: connectionId }, 'failed to read a connection after a new sign-in'),
  );
  return { status: 'connected', connectionId };
}
