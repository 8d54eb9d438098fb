import { randomUUID } from 'node:crypto';
import { isMember, lockMember } from '../identity/queries.ts';
import { addJobIn } from '../jobs/add-job.ts';
import type { Aggregator, Offer, Portfolio } from './aggregator.ts';
import { type AttemptRow, closeAttempt } from './attempt-queries.ts';
import { type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { insertConnection, listKnown, noteLook } from './queries.ts';
import { queueRemoval } from './queue-removal.ts';
import { sealFor } from './seal-column.ts';
import { SYNC_CONNECTION, syncKey } from './sync-connection.ts';

interface NewPortfolio {
  aggregator: Aggregator;
  attempt: AttemptRow;
  credential: string;
  institution: Offer['institution'];
  portfolio: Portfolio;
}

/**
 * Writes the connection, its access, its accounts and holdings in one transaction with what a first connection means
 * elsewhere: all of it holds, or none.
 */
export async function commitConnection(ctx: ConnectionContext, made: NewPortfolio): Promise<FinishedAttempt> {
  const { aggregator, attempt, credential, institution, portfolio } = made;
  const { idp_id: idpId, id } = attempt;
  const { kind, provider } = aggregator;
  const externalId = attempt.external_id!;
  const holdings = portfolio.holdings && (await ctx.portfolios.nameHoldings(idpId, portfolio.holdings));
  return ctx.sql.transaction(async (sql): Promise<FinishedAttempt> => {
    await lockMember(sql, idpId);
    if (!(await isMember(sql, idpId))) {
      await queueRemoval(ctx, sql, provider, credential);
      return { status: 'failed', code: 'GONE' };
    }
    const same = (await listKnown(sql, idpId, provider)).find((known) => known.external_id === externalId);
    const connectionId = same?.id ?? randomUUID();
    const state = same ? 'duplicate' : 'connected';
    // Lost: another claimer closed it, with the same access.
    if (!(await closeAttempt(sql, { idpId, id }, { state, connectionId }))) return PENDING;
    if (same) return { status: 'duplicate', connectionId };
    await ctx.onConnected(sql, idpId, { kind, connectionId });
    const sealed = sealFor(ctx.ring, { column: 'connection_secrets.sealed', idpId, row: connectionId }, credential);
    await insertConnection(sql, { idpId, id: connectionId, kind, provider, externalId, institution, sealed });
    await ctx.portfolios.writeConnected(sql, { idpId, connectionId, kind, accounts: portfolio.accounts, holdings });
    const status = portfolio.isExpiring ? 'expiring' : 'active';
    await noteLook(sql, { idpId, id: connectionId, status, complete: holdings !== null });
    if (holdings === null)
      await addJobIn(sql, SYNC_CONNECTION, { connection_id: connectionId }, { key: syncKey(connectionId) });
    return { status: 'connected', connectionId };
  });
}
