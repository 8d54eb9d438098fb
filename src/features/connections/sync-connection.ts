import { isMember, lockMember } from '../../platform/identity/queries.ts';
import type { TaskName } from '../../platform/jobs/task.ts';
import type { Portfolio } from './aggregator.ts';
import { findAggregator, type ConnectionContext } from './context.ts';
import type { ConnectionStatus } from './contract.ts';
import { excludeExistingAccounts } from './plan-link.ts';
import { findStoredConnection, listExistingConnections, recordSync, type StoredConnection } from './queries.ts';
import { decryptCredential } from './encrypt-column.ts';

/** `expiring` is the webhook's report of a future sign-in, absent without such a report. */
interface SyncRequest {
  connection_id: string;
  expiring?: boolean | undefined;
}

export const SYNC_CONNECTION = 'sync-connection' as TaskName<SyncRequest>;

/** Job key, so that a burst of webhooks causes one pending sync per connection. */
export const syncKey = (id: string, expiring?: boolean): string =>
  expiring === undefined ? `sync-connection:${id}` : `sync-connection:${id}:${expiring}`;

/**
 * Result of one reading. `incomplete`: a part was unavailable. `populating`: the aggregator is still fetching a part for
 * the first time. `gone`: the connection was removed, or the aggregator's keys were removed from the settings.
 */
export type SyncResult =
  | { outcome: 'updated' | 'incomplete' | 'populating' | 'login_required' | 'revoked' | 'gone' }
  | { outcome: 'unavailable'; code: string };

/**
 * Reads a connection's accounts and holdings. Only a complete reading replaces the stored data, which a connection that
 * needs a sign-in keeps. Throws if the aggregator is unavailable or still fetching, so that the job retries.
 */
export async function syncConnection(context: ConnectionContext, request: SyncRequest): Promise<void> {
  const { connection_id: id } = request;
  const result = await readConnection(context, request);
  if (result.outcome === 'unavailable') throw new Error(`Failed to read connection ${id}: ${result.code}.`);
  if (result.outcome === 'populating')
    throw new Error(`Connection ${id} is still incomplete; the aggregator is fetching its data.`);
}

/** Reads a connection's accounts and holdings once, stores them and returns the result. */
export async function readConnection(context: ConnectionContext, request: SyncRequest): Promise<SyncResult> {
  const stored = await findStoredConnection(context.sql, request.connection_id);
  const aggregator = stored && findAggregator(context, stored.provider);
  if (!aggregator) return { outcome: 'gone' };
  const { idp_id: idpId, id, external_id: externalId } = stored;
  const credential = decryptCredential(context.ring, stored);
  const result =
    credential === undefined
      ? ({ ok: false, reason: 'login_required', code: 'KEY_LOST' } as const)
      : await aggregator.readPortfolio(credential);
  if (result.ok) return storePortfolio(context, stored, result.portfolio, request.expiring);
  if (result.reason === 'unavailable') return { outcome: 'unavailable', code: result.code };
  context.logger.info({ connection: id, code: result.code, status: result.reason }, 'a connection needs a sign-in');
  await recordSync(context.sql, { idpId, id, externalId, status: result.reason, isComplete: false });
  return { outcome: result.reason };
}

async function storePortfolio(
  context: ConnectionContext,
  { idp_id: idpId, id, kind, provider, external_id: externalId, status: previousStatus }: StoredConnection,
  portfolio: Portfolio,
  expiring: boolean | undefined,
): Promise<SyncResult> {
  const { isExpiring, isPopulating = false } = portfolio;
  const namedHoldings =
    portfolio.holdings && (await context.portfolios.resolveHoldingSymbols(idpId, portfolio.holdings));
  const status: ConnectionStatus = isExpiring || (expiring ?? previousStatus === 'expiring') ? 'expiring' : 'active';
  return context.sql.transaction(async (sql): Promise<SyncResult> => {
    await lockMember(sql, idpId);
    const existing = await listExistingConnections(sql, idpId, provider);
    const index = existing.findIndex((connection) => connection.id === id);
    const { institution_id, institution } = existing[index] ?? { institution_id: null, institution: '' };
    const { accounts, holdings } = excludeExistingAccounts(
      { ...portfolio, holdings: namedHoldings },
      { id: institution_id, name: institution },
      existing.slice(0, Math.max(index, 0)),
    );
    // A response without accounts is incomplete. An institution reports closed accounts by an error.
    const isComplete = accounts.length > 0 && holdings !== null && !isPopulating;
    const isExistingMember = await isMember(sql, idpId);
    if (!isExistingMember || !(await recordSync(sql, { idpId, id, externalId, status, isComplete })))
      return { outcome: 'gone' };
    // A reading during the first fetch may also lack currencies of an account.
    if (accounts.length > 0 && !isPopulating)
      await context.portfolios.replaceConnectedPortfolio(sql, { idpId, connectionId: id, kind, accounts, holdings });
    if (isPopulating) return { outcome: 'populating' };
    return { outcome: isComplete ? 'updated' : 'incomplete' };
  });
}
