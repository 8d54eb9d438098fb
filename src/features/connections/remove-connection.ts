import type { ServiceSql } from '../../platform/database/roles.ts';
import { lockMember } from '../../platform/identity/queries.ts';
import { deleteMemberConnections, listAttemptsWithCredential } from './attempt-queries.ts';
import { revokeBrokerageUser, SNAPTRADE } from './brokerage/brokerage-users.ts';
import { findAggregator, type ConnectionContext } from './context.ts';
import { DecryptionError } from './key-ring.ts';
import {
  deleteConnection,
  findConnectionsByExternalId,
  findStoredConnectionOfMember,
  listStoredConnections,
  type StoredConnection,
} from './queries.ts';
import { enqueueRevocation } from './enqueue-revocation.ts';
import { decryptCredential, decryptFrom } from './encrypt-column.ts';
import { deleteRevocation, findRevocation } from './encrypted-queries.ts';

type RevocationContext = Pick<ConnectionContext, 'ring' | 'logger'>;

/**
 * Returns undefined if no key decrypts the access. The access cannot be revoked then, but the member's rows are
 * deleted.
 */
function tryDecrypt(context: RevocationContext, decrypt: () => string | undefined): string | undefined {
  try {
    const credential = decrypt();
    if (credential === undefined) context.logger.warn('the key of a credential is lost; aggregator access not revoked');
    return credential;
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    context.logger.error({ err: error }, 'failed to decrypt a credential; aggregator access not revoked');
    return undefined;
  }
}

/** Enqueues the revocation of a stored connection's access. */
export async function enqueueConnectionRevocation(
  context: RevocationContext,
  sql: ServiceSql,
  stored: StoredConnection,
): Promise<void> {
  const credential = tryDecrypt(context, () => decryptCredential(context.ring, stored));
  if (credential !== undefined) await enqueueRevocation(context, sql, stored.provider, credential);
}

/** Removes a connection with its accounts and holdings. Returns false if the member has no such connection. */
export function removeConnection(context: ConnectionContext, idpId: string, id: string): Promise<boolean> {
  return context.sql.transaction(async (sql) => {
    await lockMember(sql, idpId);
    const stored = await findStoredConnectionOfMember(sql, idpId, id);
    if (!stored) return false;
    await enqueueConnectionRevocation(context, sql, stored);
    return context.portfolios.recordFlows(sql, idpId, () => deleteConnection(sql, idpId, id));
  });
}

/** Deletes a deleted member's connections. Jobs without a member revoke the access. */
export async function removeMemberConnections(
  context: RevocationContext,
  sql: ServiceSql,
  idpId: string,
): Promise<void> {
  const isUserRevoked = await revokeBrokerageUser(context, sql, idpId);
  const isRevokedWithUser = (provider: string): boolean => isUserRevoked && provider === SNAPTRADE;
  for (const stored of await listStoredConnections(sql, idpId))
    if (!isRevokedWithUser(stored.provider)) await enqueueConnectionRevocation(context, sql, stored);
  for (const { id, provider, sealed_credential: sealed } of await listAttemptsWithCredential(sql, idpId)) {
    if (isRevokedWithUser(provider)) continue;
    const cell = { column: 'connection_attempts.sealed_credential', idpId, row: id } as const;
    const decrypted = tryDecrypt(context, () => decryptFrom(context.ring, cell, sealed));
    if (decrypted !== undefined)
      await enqueueRevocation(context, sql, provider, (JSON.parse(decrypted) as { credential: string }).credential);
  }
  await deleteMemberConnections(sql, idpId);
}

/**
 * Revokes an access at the aggregator and deletes its record. Throws if the aggregator is unavailable, so that the job
 * retries.
 */
export async function revokeAccess(context: ConnectionContext, revocationId: string): Promise<void> {
  const revocation = await findRevocation(context.sql, revocationId);
  const aggregator = revocation && findAggregator(context, revocation.provider);
  if (!aggregator) return;
  const cell = { column: 'aggregator_removals.sealed', idpId: null, row: revocation.id } as const;
  const credential = tryDecrypt(context, () => decryptFrom(context.ring, cell, revocation.sealed));
  if (credential === undefined) return;
  const revokedConnectionId = aggregator.getConnectionId?.(credential);
  const isReconnected =
    revokedConnectionId !== undefined &&
    (await findConnectionsByExternalId(context.sql, revocation.provider, revokedConnectionId)).length > 0;
  const result = isReconnected ? { ok: true as const } : await aggregator.revoke(credential);
  if (!result.ok) throw new Error(`Failed to revoke access ${revocation.id}: ${result.code}.`);
  await deleteRevocation(context.sql, revocation.id);
}
