import { isMember, lockMember } from '../../platform/identity/queries.ts';
import type { TaskName } from '../../platform/jobs/task.ts';
import type { Portfolio } from './aggregator.ts';
import { aggregatorOf, type ConnectionContext } from './context.ts';
import type { ConnectionStatus } from './contract.ts';
import { withoutKnown } from './plan-offer.ts';
import { findStored, listKnown, noteSync, type StoredConnection } from './queries.ts';
import { openAccess } from './seal-column.ts';

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
  const stored = await findStored(ctx.sql, request.connection_id);
  const aggregator = stored && aggregatorOf(ctx, stored.provider);
  if (!aggregator) return; // removed meanwhile, or its keys were taken away
  const { idp_id: idpId, id, external_id: externalId } = stored;
  const read = await aggregator.readPortfolio(openAccess(ctx.ring, stored));
  if (read.ok) return store(ctx, stored, read.portfolio, request.expiring);
  if (read.reason === 'unavailable') throw new Error(`The connection ${id} could not be read: ${read.code}.`);
  ctx.logger.info({ connection: id, code: read.code, status: read.reason }, 'a connection needs a sign-in');
  await noteSync(ctx.sql, { idpId, id, externalId, status: read.reason, complete: false });
}

async function store(
  ctx: ConnectionContext,
  { idp_id: idpId, id, kind, provider, external_id: externalId, status: before }: StoredConnection,
  read: Portfolio,
  expiring: boolean | undefined,
): Promise<void> {
  const { isExpiring, isPopulating = false } = read;
  const named = read.holdings && (await ctx.portfolios.nameHoldings(idpId, read.holdings));
  const status: ConnectionStatus = isExpiring || (expiring ?? before === 'expiring') ? 'expiring' : 'active';
  const isStored = await ctx.sql.transaction(async (sql) => {
    await lockMember(sql, idpId);
    const known = await listKnown(sql, idpId, provider);
    const at = known.findIndex((one) => one.id === id);
    const { institution_id, institution } = known[at] ?? { institution_id: null, institution: '' };
    const { accounts, holdings } = withoutKnown(
      { ...read, holdings: named },
      { id: institution_id, name: institution },
      known.slice(0, Math.max(at, 0)),
    );
    // No account at all is an answer that lacks something: an institution that closed them says so by an error.
    const complete = accounts.length > 0 && holdings !== null && !isPopulating;
    const isThere = await isMember(sql, idpId);
    if (!isThere || !(await noteSync(sql, { idpId, id, externalId, status, complete }))) return false;
    // What is still being fetched may lack an account's currencies too.
    if (accounts.length > 0 && !isPopulating)
      await ctx.portfolios.writeConnected(sql, { idpId, connectionId: id, kind, accounts, holdings });
    return true;
  });
  if (isStored && isPopulating) throw new Error(`The connection ${id} is not there completely yet.`);
}
