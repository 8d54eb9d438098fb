import { isMember, lockMember } from '../../platform/identity/queries.ts';
import type { TaskName } from '../../platform/jobs/task.ts';
import type { Portfolio } from './aggregator.ts';
import { findAggregator, type ConnectionContext } from './context.ts';
import type { ConnectionStatus } from './contract.ts';
import { excludeExistingAccounts } from './plan-link.ts';
import { findStoredConnection, listExistingConnections, recordSync, type StoredConnection } from './queries.ts';
import { decryptCredential } from './encrypt-column.ts';

/** `expiring`: what a webhook says of a new sign-in that will be asked for; absent where nothing was said. */
interface SyncRequest {
  connection_id: string;
  expiring?: boolean | undefined;
}

export const SYNC_CONNECTION = 'sync-connection' as TaskName<SyncRequest>;

/** One waiting job a connection, so that a burst of webhooks is one sync. */
export const syncKey = (id: string, expiring?: boolean): string =>
  expiring === undefined ? `sync-connection:${id}` : `sync-connection:${id}:${expiring}`;

/**
 * Reads a connection's accounts and holdings anew. What is stored is replaced only by a complete reading; a connection
 * that needs a sign-in keeps it. Throws, to be tried again, where the aggregator could not be asked or has not fetched
 * everything yet.
 */
export async function syncConnection(ctx: ConnectionContext, request: SyncRequest): Promise<void> {
  const stored = await findStoredConnection(ctx.sql, request.connection_id);
  const aggregator = stored && findAggregator(ctx, stored.provider);
  if (!aggregator) return; // removed meanwhile, or its keys were taken away
  const { idp_id: idpId, id, external_id: externalId } = stored;
  const result = await aggregator.readPortfolio(decryptCredential(ctx.ring, stored));
  if (result.ok) return storePortfolio(ctx, stored, result.portfolio, request.expiring);
  if (result.reason === 'unavailable') throw new Error(`The connection ${id} could not be read: ${result.code}.`);
  ctx.logger.info({ connection: id, code: result.code, status: result.reason }, 'a connection needs a sign-in');
  await recordSync(ctx.sql, { idpId, id, externalId, status: result.reason, isComplete: false });
}

async function storePortfolio(
  ctx: ConnectionContext,
  { idp_id: idpId, id, kind, provider, external_id: externalId, status: previousStatus }: StoredConnection,
  portfolio: Portfolio,
  expiring: boolean | undefined,
): Promise<void> {
  const { isExpiring, isPopulating = false } = portfolio;
  const namedHoldings = portfolio.holdings && (await ctx.portfolios.resolveHoldingSymbols(idpId, portfolio.holdings));
  const status: ConnectionStatus = isExpiring || (expiring ?? previousStatus === 'expiring') ? 'expiring' : 'active';
  const isStored = await ctx.sql.transaction(async (sql) => {
    await lockMember(sql, idpId);
    const existing = await listExistingConnections(sql, idpId, provider);
    const index = existing.findIndex((connection) => connection.id === id);
    const { institution_id, institution } = existing[index] ?? { institution_id: null, institution: '' };
    const { accounts, holdings } = excludeExistingAccounts(
      { ...portfolio, holdings: namedHoldings },
      { id: institution_id, name: institution },
      existing.slice(0, Math.max(index, 0)),
    );
    // No account at all is an answer that lacks something: an institution that closed them says so by an error.
    const isComplete = accounts.length > 0 && holdings !== null && !isPopulating;
    const isExistingMember = await isMember(sql, idpId);
    if (!isExistingMember || !(await recordSync(sql, { idpId, id, externalId, status, isComplete }))) return false;
    // What is still being fetched may lack an account's currencies too.
    if (accounts.length > 0 && !isPopulating)
      await ctx.portfolios.replaceConnectedPortfolio(sql, { idpId, connectionId: id, kind, accounts, holdings });
    return true;
  });
  if (isStored && isPopulating) throw new Error(`The connection ${id} is not there completely yet.`);
}
