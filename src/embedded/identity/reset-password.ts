import { randomBytes } from 'node:crypto';
import type { PasswordReset } from '../../platform/identity/identity-provider.ts';
import { revokeCredentials } from '../../platform/identity/queries.ts';
import { NO_DEVICE, type ProviderContext } from './context.ts';
import { emitEvent } from './emit-event.ts';
import { endOtherSessions } from './end-session.ts';
import { hashPassword } from './passwords.ts';
import { toBackendUserResponse } from './responses.ts';
import { revokePendingTickets } from './ticket-queries.ts';
import { findUser, overwritePassword } from './user-queries.ts';

/**
 * Gives a user a new random password and revokes every other credential in one transaction: sessions, sign-in tickets,
 * API keys, assistant tokens. Only the hash of the returned password is stored.
 */
export async function resetPassword(
  { sql, keys }: Pick<ProviderContext, 'sql' | 'keys'>,
  idpId: string,
): Promise<PasswordReset> {
  const password = randomBytes(15).toString('base64url');
  const hash = await hashPassword(password);
  return sql.transaction(async (tx): Promise<PasswordReset> => {
    const user = await findUser(tx, idpId);
    if (!user) return { ok: false, reason: 'external_provider' };
    if (user.password_hash === null) return { ok: false, reason: 'no_password' };
    // A sign-in by ticket locks tickets before the user's row. An equal order prevents a deadlock.
    await revokePendingTickets(tx, idpId);
    const updated = await overwritePassword(tx, idpId, hash);
    if (!updated) return { ok: false, reason: 'external_provider' };
    await emitEvent(tx, { keys }, 'user.updated', toBackendUserResponse(updated), NO_DEVICE);
    await endOtherSessions(tx, { keys }, idpId, null, NO_DEVICE);
    await revokeCredentials(tx, idpId);
    return { ok: true, password };
  });
}
