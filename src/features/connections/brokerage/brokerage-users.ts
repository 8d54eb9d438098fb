import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { isMember, lockMember } from '../../../platform/identity/queries.ts';
import type { ConnectionContext } from '../context.ts';
import { enqueueRevocation } from '../enqueue-revocation.ts';
import { decryptFrom, encryptFor } from '../encrypt-column.ts';
import { registeredUser } from './schemas.ts';
import { type BrokerageUser, serializeAccess } from './credential.ts';
import type { SnaptradeClient, SnaptradeFailure } from './snaptrade-client.ts';
import { deleteUser, findUser, insertUser, storeSecret, type UserRow } from './user-queries.ts';

/** Name that is stored with each connection. */
export const SNAPTRADE = 'snaptrade';

export type UserStore = Pick<ConnectionContext, 'sql' | 'ring' | 'logger'>;

/** Seconds until a concurrent registration of the member has finished. */
const REGISTRATION_RETRY_AFTER_SECONDS = 5;

/** Returns whether the user has a secret, and its key is not lost. */
const isUsable = ({ ring }: UserStore, row: UserRow): row is UserRow & { sealed_secret: Buffer } =>
  row.sealed_secret !== null && ring.hasKeyOf(row.sealed_secret);

export async function findBrokerageUser(store: UserStore, idpId: string): Promise<BrokerageUser | undefined> {
  const row = await findUser(store.sql, idpId);
  if (!row || !isUsable(store, row)) return undefined;
  const cell = { column: 'brokerage_users.sealed_secret', idpId, row: row.external_id } as const;
  return { userId: row.external_id, userSecret: decryptFrom(store.ring, cell, row.sealed_secret) };
}

/**
 * Returns the member's user at the aggregator, registered at the first attempt. The aggregator returns the secret once.
 * If the outcome is unknown, a job deletes that user and the next attempt uses a new id.
 */
export async function ensureBrokerageUser(
  store: UserStore,
  client: SnaptradeClient,
  idpId: string,
): Promise<{ ok: true; user: BrokerageUser } | SnaptradeFailure> {
  const existingUser = await findBrokerageUser(store, idpId);
  if (existingUser) return { ok: true, user: existingUser };
  const userId = await claimUserId(store, idpId);
  if (userId === undefined)
    return {
      ok: false,
      reason: 'unavailable',
      code: 'REGISTRATION_UNDER_WAY',
      retryAfter: REGISTRATION_RETRY_AFTER_SECONDS,
    };
  const response = await client.call(registeredUser, (api, options) =>
    api.authentication.registerSnapTradeUser({ userId }, options),
  );
  if (!response.ok) {
    if (response.reason === 'rejected') await deleteUser(store.sql, idpId, userId);
    else await store.sql.transaction((sql) => revokeUser(store, sql, idpId, userId));
    return response;
  }
  const { userSecret } = response.data;
  const cell = { column: 'brokerage_users.sealed_secret', idpId, row: userId } as const;
  const encryptedSecret = encryptFor(store.ring, cell, userSecret);
  if (await storeSecret(store.sql, idpId, userId, encryptedSecret)) return { ok: true, user: { userId, userSecret } };
  // The member was deleted, or another caller treated this registration as failed.
  await store.sql.transaction((sql) => revokeUser(store, sql, idpId, userId));
  return { ok: false, reason: 'unavailable', code: 'GONE' };
}

/** Stores and returns an id that no other caller registers. Returns `undefined` while another registration runs. */
function claimUserId(store: UserStore, idpId: string): Promise<string | undefined> {
  const userId = randomUUID();
  return store.sql.transaction(async (sql) => {
    await lockMember(sql, idpId);
    if (!(await isMember(sql, idpId))) return undefined;
    const row = await findUser(sql, idpId);
    if (row && (isUsable(store, row) || (!row.sealed_secret && !row.is_stale))) return undefined;
    if (row) await revokeUser(store, sql, idpId, row.external_id);
    return (await insertUser(sql, idpId, userId)) ? userId : undefined;
  });
}

async function revokeUser(store: UserStore, sql: ServiceSql, idpId: string, userId: string): Promise<void> {
  await deleteUser(sql, idpId, userId);
  await enqueueRevocation(store, sql, SNAPTRADE, serializeAccess({ userId }));
}

/** Deletes a deleted member's stored user. A job deletes the user at the aggregator with all connections. */
export async function revokeBrokerageUser(store: Pick<UserStore, 'ring'>, sql: ServiceSql, idpId: string) {
  const userId = await deleteUser(sql, idpId);
  if (userId !== undefined) await enqueueRevocation(store, sql, SNAPTRADE, serializeAccess({ userId }));
  return userId !== undefined;
}
