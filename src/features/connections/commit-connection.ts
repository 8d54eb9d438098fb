import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { isMember, lockMember } from '../../platform/identity/queries.ts';
import { addJobIn } from '../../platform/jobs/add-job.ts';
import type { Aggregator, Offer, Portfolio } from './aggregator.ts';
import { type AttemptRow, closeAttempt } from './attempt-queries.ts';
import { type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { missingIn, withoutKnown } from './plan-offer.ts';
import { findStoredOf, insertConnection, listKnown, noteSync, replaceAccess } from './queries.ts';
import { queueRemoval } from './queue-removal.ts';
import { queueRemovalOf } from './remove-connection.ts';
import { sealFor } from './seal-column.ts';
import { SYNC_CONNECTION, syncKey } from './sync-connection.ts';

/** What is stored encrypted in the attempt until it is a connection. */
export interface ExchangedCredential {
  credential: string;
  institution: Offer['institution'];
  /** The connection whose access it takes the place of, where that is still there. */
  replaces?: string | undefined;
}

/**
 * Writes the connection, its access, its accounts and holdings in one transaction with what a first connection means
 * elsewhere: all of it holds, or none.
 */
export async function commitConnection(
  ctx: ConnectionContext,
  { kind, provider }: Aggregator,
  attempt: AttemptRow,
  { credential, institution, replaces }: ExchangedCredential,
  read: Portfolio,
): Promise<FinishedAttempt> {
  const { idp_id: idpId, id } = attempt;
  const externalId = attempt.external_id!;
  const named = read.holdings && (await ctx.portfolios.nameHoldings(idpId, read.holdings));
  return ctx.sql.transaction(async (sql): Promise<FinishedAttempt> => {
    await lockMember(sql, idpId);
    if (!(await isMember(sql, idpId))) {
      await queueRemoval(ctx, sql, provider, credential);
      return { status: 'failed', code: 'GONE' };
    }
    const known = await listKnown(sql, idpId, provider);
    const same = known.find((connection) => connection.external_id === externalId);
    const replaced = same ? undefined : known.find((connection) => connection.id === replaces);
    const connectionId = (same ?? replaced)?.id ?? randomUUID();
    const whole = { ...read, holdings: named };
    const portfolio = same || replaced ? whole : withoutKnown(whole, institution, known);
    if (portfolio.accounts.length === 0) return closeAsRepeated(ctx, sql, { attempt, provider, credential });
    const state = same ? 'duplicate' : 'connected';
    const isLess = replaced !== undefined && missingIn(replaced, portfolio.accounts).length > 0;
    const code = isLess ? 'ACCOUNTS_LEFT_OUT' : replaced ? 'ACCOUNTS_ADDED' : undefined;
    // Lost: another claimer closed it, with the same access.
    if (!(await closeAttempt(sql, { idpId, id }, { state, connectionId, code: code ?? null }))) return PENDING;
    if (same) return { status: 'duplicate', connectionId };
    const sealed = sealFor(ctx.ring, { column: 'connection_secrets.sealed', idpId, row: connectionId }, credential);
    if (replaced) {
      await queueRemovalOf(ctx, sql, (await findStoredOf(sql, idpId, connectionId))!);
      await replaceAccess(sql, { idpId, id: connectionId, externalId, sealed });
    } else {
      await ctx.onConnected(sql, idpId, { kind, connectionId });
      await insertConnection(sql, { idpId, id: connectionId, kind, provider, externalId, institution, sealed });
    }
    const { accounts, holdings } = portfolio;
    const isRenumbered = replaced !== undefined;
    await ctx.portfolios.writeConnected(sql, { idpId, connectionId, kind, accounts, holdings, isRenumbered });
    const status = portfolio.isExpiring ? 'expiring' : 'active';
    await noteSync(sql, { idpId, id: connectionId, externalId, status, complete: holdings !== null });
    if (holdings === null)
      await addJobIn(sql, SYNC_CONNECTION, { connection_id: connectionId }, { key: syncKey(connectionId) });
    return { status: 'connected', connectionId, code };
  });
}

/** Another attempt has connected all of these accounts meanwhile: this access is ended unused. */
async function closeAsRepeated(
  ctx: ConnectionContext,
  sql: ServiceSql,
  { attempt, provider, credential }: { attempt: AttemptRow; provider: string; credential: string },
): Promise<FinishedAttempt> {
  const { idp_id: idpId, id } = attempt;
  if (!(await closeAttempt(sql, { idpId, id }, { state: 'duplicate' }))) return PENDING;
  await queueRemoval(ctx, sql, provider, credential);
  return { status: 'duplicate' };
}
