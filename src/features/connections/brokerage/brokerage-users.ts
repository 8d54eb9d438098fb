import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { isMember, lockMember } from '../../../platform/identity/queries.ts';
import type { ConnectionContext } from '../context.ts';
import { enqueueRevocation } from '../enqueue-revocation.ts';
import { decryptFrom, encryptFor } from '../encrypt-column.ts';
import { registeredUser } from './schemas.ts';
import { type BrokerageUser, serializeAccess } from './credential.ts';
import type { SnaptradeClient, SnaptradeFailure } from './snaptrade-client.ts';
import { deleteUser, findUser, insertUser, storeSecret } from './user-queries.ts';

/** As stored beside each connection. */
export const SNAPTRADE = 'snaptrade';

export type UserStore = Pick<ConnectionContext, 'sql' | 'ring' | 'logger'>;

/** Seconds after which a registration of the same member that is under way is over. */
const REGISTRATION_RETRY_AFTER_SECONDS = 5;

export async function findBrokerageUser(store: UserStore, idpId: string): Promise<BrokerageUser | undefined> {
  const row = await findUser(store.sql, idpId);
  if (!row?.sealed_secret) return undefined;
  const cell = { column: 'brokerage_users.sealed_secret', idpId, row: row.external_id } as const;
  return { userId: row.external_id, userSecret: decryptFrom(store.ring, cell, row.sealed_secret) };
}

/**
 * The member's user at the aggregator, registered with the first attempt. Its secret is told once: whatever leaves the
 * outcome unknown ends that user by a job, and the next attempt takes a new name.
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
    if (response.reason === 'refused') await deleteUser(store.sql, idpId, userId);
    else await store.sql.transaction((sql) => revokeUser(store, sql, idpId, userId));
    return response;
  }
  const { userSecret } = response.data;
  const cell = { column: 'brokerage_users.sealed_secret', idpId, row: userId } as const;
  const encryptedSecret = encryptFor(store.ring, cell, userSecret);
  if (await storeSecret(store.sql, idpId, userId, encryptedSecret)) return { ok: true, user: { userId, userSecret } };
  // The member was deleted meanwhile, or somebody took this registration for lost.
  await store.sql.transaction((sql) => revokeUser(store, sql, idpId, userId));
  return { ok: false, reason: 'unavailable', code: 'GONE' };
}

/** A name that is stored and that nobody else registers; `undefined` while somebody registers one. */
function claimUserId(store: UserStore, idpId: string): Promise<string | undefined> {
  const userId = randomUUID();
  return store.sql.transaction(async (sql) => {
    await lockMember(sql, idpId);
    if (!(await isMember(sql, idpId))) return undefined;
    const row = await findUser(sql, idpId);
    if (row && (row.sealed_secret || !row.is_stale)) return undefined;
    if (row) await revokeUser(store, sql, idpId, row.external_id);
    return (await insertUser(sql, idpId, userId)) ? userId : undefined;
  });
}

async function revokeUser(store: UserStore, sql: ServiceSql, idpId: string, userId: string): Promise<void> {
  await deleteUser(sql, idpId, userId);
  await enqueueRevocation(store, sql, SNAPTRADE, serializeAccess({ userId }));
}

/** Forgets who a deleted member is there; the job ends the user with all that they had connected. */
export async function revokeBrokerageUser(store: Pick<UserStore, 'ring'>, sql: ServiceSql, idpId: string) {
  const userId = await deleteUser(sql, idpId);
  if (userId !== undefined) await enqueueRevocation(store, sql, SNAPTRADE, serializeAccess({ userId }));
  return userId !== undefined;
}
