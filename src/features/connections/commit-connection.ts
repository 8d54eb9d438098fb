import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { isMember, lockMember } from '../../platform/identity/queries.ts';
import { addJobInTransaction } from '../../platform/jobs/add-job.ts';
import type { Aggregator, LinkedItem, Portfolio } from './aggregator.ts';
import { type ClaimedAttempt, closeAttempt } from './attempt-queries.ts';
import { type ConnectionContext, type FinishedAttempt, PENDING } from './context.ts';
import { findMissingAccounts, excludeExistingAccounts } from './plan-link.ts';
import {
  findStoredConnectionOfMember,
  insertConnection,
  listExistingConnections,
  recordSync,
  replaceCredential,
} from './queries.ts';
import { enqueueRevocation } from './enqueue-revocation.ts';
import { enqueueConnectionRevocation } from './remove-connection.ts';
import { encryptFor } from './encrypt-column.ts';
import { SYNC_CONNECTION, syncKey } from './sync-connection.ts';

/** Credential that is stored encrypted in the attempt until the connection exists. */
export interface ExchangedCredential {
  credential: string;
  institution: LinkedItem['institution'];
  /** Connection whose access this access replaces, if it still exists. */
  replaces?: string | undefined;
}

/**
 * Writes the connection, its access, accounts and holdings in one transaction, with the effects of a first connection
 * in other features.
 */
export async function commitConnection(
  context: ConnectionContext,
  { kind, provider }: Aggregator,
  attempt: ClaimedAttempt,
  { credential, institution, replaces }: ExchangedCredential,
  fetchedPortfolio: Portfolio,
): Promise<FinishedAttempt> {
  const { idp_id: idpId } = attempt;
  const externalId = attempt.external_id!;
  const namedHoldings =
    fetchedPortfolio.holdings && (await context.portfolios.resolveHoldingSymbols(idpId, fetchedPortfolio.holdings));
  return context.sql.transaction(async (sql): Promise<FinishedAttempt> => {
    await lockMember(sql, idpId);
    if (!(await isMember(sql, idpId))) {
      await enqueueRevocation(context, sql, provider, credential);
      return { status: 'failed', code: 'GONE' };
    }
    const existing = await listExistingConnections(sql, idpId, provider);
    const sameConnection = existing.find((connection) => connection.external_id === externalId);
    const replaced = sameConnection ? undefined : existing.find((connection) => connection.id === replaces);
    const connectionId = (sameConnection ?? replaced)?.id ?? randomUUID();
    const completePortfolio = { ...fetchedPortfolio, holdings: namedHoldings };
    const portfolio =
      sameConnection || replaced
        ? completePortfolio
        : excludeExistingAccounts(completePortfolio, institution, existing);
    if (portfolio.accounts.length === 0) return closeAsDuplicate(context, sql, { attempt, provider, credential });
    const state = sameConnection ? 'duplicate' : 'connected';
    const hasFewerAccounts = replaced !== undefined && findMissingAccounts(replaced, portfolio.accounts).length > 0;
    const replacedCode = hasFewerAccounts ? 'ACCOUNTS_LEFT_OUT' : 'ACCOUNTS_ADDED';
    const code = replaced && replacedCode;
    // Another caller closed the attempt or holds its lease.
    if (!(await closeAttempt(sql, attempt, { state, connectionId, code: code ?? null }))) return PENDING;
    if (sameConnection) return { status: 'duplicate', connectionId };
    const encryptedCredential = encryptFor(
      context.ring,
      { column: 'connection_secrets.sealed', idpId, row: connectionId },
      credential,
    );
    if (replaced) {
      await enqueueConnectionRevocation(context, sql, (await findStoredConnectionOfMember(sql, idpId, connectionId))!);
      await replaceCredential(sql, { idpId, id: connectionId, externalId, sealed: encryptedCredential });
    } else {
      await context.onConnected(sql, idpId, { kind, connectionId });
      await insertConnection(sql, {
        idpId,
        id: connectionId,
        kind,
        provider,
        externalId,
        institution,
        sealed: encryptedCredential,
      });
    }
    const { accounts, holdings } = portfolio;
    const hasNewExternalIds = replaced !== undefined;
    await context.portfolios.replaceConnectedPortfolio(sql, {
      idpId,
      connectionId,
      kind,
      accounts,
      holdings,
      hasNewExternalIds,
    });
    const status = portfolio.isExpiring ? 'expiring' : 'active';
    await recordSync(sql, { idpId, id: connectionId, externalId, status, isComplete: holdings !== null });
    if (holdings === null)
      await addJobInTransaction(sql, SYNC_CONNECTION, { connection_id: connectionId }, { key: syncKey(connectionId) });
    return { status: 'connected', connectionId, code };
  });
}

/** Another attempt has connected all of these accounts. This access is revoked unused. */
async function closeAsDuplicate(
  context: ConnectionContext,
  sql: ServiceSql,
  { attempt, provider, credential }: { attempt: ClaimedAttempt; provider: string; credential: string },
): Promise<FinishedAttempt> {
  if (!(await closeAttempt(sql, attempt, { state: 'duplicate' }))) return PENDING;
  await enqueueRevocation(context, sql, provider, credential);
  return { status: 'duplicate' };
}
