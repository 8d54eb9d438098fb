import { addJobIn } from '../jobs/add-job.ts';
import type { Aggregator, Returned } from './aggregator.ts';
import { type AttemptRow, closeAttempt } from './attempt-queries.ts';
import { type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { findStoredOf, noteSync } from './queries.ts';
import { openAccess, openReference } from './seal-column.ts';
import { SYNC_CONNECTION, syncKey } from './sync-connection.ts';

/** Finishes an attempt to sign in again: the connection, its accounts and their ids stay, and it is read at once. */
export async function finishRepair(
  ctx: ConnectionContext,
  aggregator: Aggregator,
  attempt: AttemptRow & { repairs: string },
  returned: Returned | undefined,
): Promise<FinishedAttempt | undefined> {
  const { idp_id: idpId, id, repairs } = attempt;
  const close = async (status: 'abandoned' | 'failed', code: string): Promise<FinishedAttempt> => {
    await closeAttempt(ctx.sql, { idpId, id }, { state: status, code, connectionId: repairs });
    return { status, code, connectionId: repairs };
  };
  const stored = await findStoredOf(ctx.sql, idpId, repairs);
  if (!stored) return close('abandoned', 'GONE');
  const read = await aggregator.readAttempt({
    idpId,
    reference: openReference(ctx.ring, attempt),
    repair: openAccess(ctx.ring, stored),
    returned,
    known: [],
  });
  switch (read.state) {
    case 'abandoned':
    case 'failed':
      return close(read.state, read.code);
    case 'foreign':
      return undefined;
    case 'open':
    case 'offered':
    case 'unknown':
      return attempt.is_over ? close('abandoned', 'EXPIRED') : PENDING;
    case 'repaired':
      return ctx.sql.transaction(async (sql) => {
        if (!(await closeAttempt(sql, { idpId, id }, { state: 'connected', connectionId: repairs }))) return PENDING;
        const { external_id: externalId } = stored;
        await noteSync(sql, { idpId, id: repairs, externalId, status: 'active', complete: false });
        await addJobIn(sql, SYNC_CONNECTION, { connection_id: repairs, expiring: false }, { key: syncKey(repairs) });
        return { status: 'connected', connectionId: repairs };
      });
  }
}
