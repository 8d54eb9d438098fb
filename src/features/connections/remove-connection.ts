import type { ServiceSql } from '../../platform/database/roles.ts';
import { lockMember } from '../../platform/identity/queries.ts';
import { deleteAllOf, listRedeemedOf } from './attempt-queries.ts';
import { endBrokerageUser, SNAPTRADE } from './brokerage/brokerage-users.ts';
import { aggregatorOf, type ConnectionContext } from './context.ts';
import { CannotOpen } from './key-ring.ts';
import { deleteConnection, findByExternalId, findStoredOf, listStoredOf, type StoredConnection } from './queries.ts';
import { queueRemoval } from './queue-removal.ts';
import { openAccess, openFrom } from './seal-column.ts';
import { deleteRemoval, findRemoval } from './sealed-queries.ts';

type Ring = Pick<ConnectionContext, 'ring' | 'logger'>;

/** Access that no key opens any more cannot be ended from here; the member's rows go all the same. */
function opened(ctx: Ring, open: () => string): string | undefined {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    ctx.logger.error({ err: error }, 'access to a connection cannot be opened, so the aggregator keeps it');
    return undefined;
  }
}

/** Has the access of a stored connection ended by a job. */
export async function queueRemovalOf(ctx: Ring, sql: ServiceSql, stored: StoredConnection): Promise<void> {
  const credential = opened(ctx, () => openAccess(ctx.ring, stored));
  if (credential !== undefined) await queueRemoval(ctx, sql, stored.provider, credential);
}

/** Removes a connection with its accounts and holdings. False where the member has none such. */
export function removeConnection(ctx: ConnectionContext, idpId: string, id: string): Promise<boolean> {
  return ctx.sql.transaction(async (sql) => {
    await lockMember(sql, idpId);
    const stored = await findStoredOf(sql, idpId, id);
    if (!stored) return false;
    await queueRemovalOf(ctx, sql, stored);
    return deleteConnection(sql, idpId, id);
  });
}

/** Deletes what a deleted member had connected; jobs that name nobody end the access. */
export async function removeAllOf(ctx: Ring, sql: ServiceSql, idpId: string): Promise<void> {
  const isUserEnded = await endBrokerageUser(ctx, sql, idpId);
  const isEnded = (provider: string): boolean => isUserEnded && provider === SNAPTRADE;
  for (const stored of await listStoredOf(sql, idpId))
    if (!isEnded(stored.provider)) await queueRemovalOf(ctx, sql, stored);
  for (const { id, provider, sealed_credential: sealed } of await listRedeemedOf(sql, idpId)) {
    if (isEnded(provider)) continue;
    const cell = { column: 'connection_attempts.sealed_credential', idpId, row: id } as const;
    const text = opened(ctx, () => openFrom(ctx.ring, cell, sealed));
    if (text !== undefined)
      await queueRemoval(ctx, sql, provider, (JSON.parse(text) as { credential: string }).credential);
  }
  await deleteAllOf(sql, idpId);
}

/** Has the aggregator end an access, and forgets it then. Throws, to be tried again, where it could not be asked. */
export async function endAccess(ctx: ConnectionContext, removalId: string): Promise<void> {
  const removal = await findRemoval(ctx.sql, removalId);
  const aggregator = removal && aggregatorOf(ctx, removal.provider);
  if (!aggregator) return;
  const cell = { column: 'aggregator_removals.sealed', idpId: null, row: removal.id } as const;
  const credential = opened(ctx, () => openFrom(ctx.ring, cell, removal.sealed));
  if (credential === undefined) return;
  const kept = aggregator.connectionOf?.(credential);
  const isBack = kept !== undefined && (await findByExternalId(ctx.sql, removal.provider, kept)).length > 0;
  const removed = isBack ? { ok: true as const } : await aggregator.remove(credential);
  if (!removed.ok) throw new Error(`The access ${removal.id} is not ended yet: ${removed.code}.`);
  await deleteRemoval(ctx.sql, removal.id);
}
