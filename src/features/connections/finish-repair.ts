import { addJobInTransaction } from '../../platform/jobs/add-job.ts';
import type { Aggregator, RedirectParams } from './aggregator.ts';
import { type ClaimedAttempt, closeAttempt } from './attempt-queries.ts';
import { type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { findStoredConnectionOfMember, recordSync } from './queries.ts';
import { decryptCredential, decryptReference } from './encrypt-column.ts';
import { SYNC_CONNECTION, syncConnection, syncKey } from './sync-connection.ts';

/** Finishes an attempt to reauthenticate. The connection and its accounts keep their ids and are read immediately. */
export async function finishRepair(
  context: ConnectionContext,
  aggregator: Aggregator,
  attempt: ClaimedAttempt & { reauthenticates_id: string },
  redirectParams: RedirectParams | undefined,
): Promise<FinishedAttempt | undefined> {
  const { idp_id: idpId, reauthenticates_id: connectionId } = attempt;
  const closeRepair = async (status: 'abandoned' | 'failed', code: string): Promise<FinishedAttempt> => {
    const isClosed = await closeAttempt(context.sql, attempt, { state: status, code, connectionId });
    return isClosed ? { status, code, connectionId } : PENDING;
  };
  const stored = await findStoredConnectionOfMember(context.sql, idpId, connectionId);
  const repairCredential = stored && decryptCredential(context.ring, stored);
  if (!stored || repairCredential === undefined) return closeRepair('abandoned', 'GONE');
  const attemptResult = await aggregator.readAttempt({
    idpId,
    reference: decryptReference(context.ring, attempt),
    repairCredential,
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
      return closeRepaired(context, attempt, stored.external_id);
  }
}

/** Records that the access works again and reads it immediately, so that the response includes added accounts. */
async function closeRepaired(
  context: ConnectionContext,
  attempt: ClaimedAttempt & { reauthenticates_id: string },
  externalId: string,
): Promise<FinishedAttempt> {
  const { idp_id: idpId, reauthenticates_id: connectionId } = attempt;
  const isClosed = await context.sql.transaction(async (sql) => {
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
  await syncConnection(context, { connection_id: connectionId, expiring: false }).catch((err: unknown) =>
    context.logger.warn({ err, connection: connectionId }, 'failed to read a connection after a new sign-in'),
  );
  return { status: 'connected', connectionId };
}
