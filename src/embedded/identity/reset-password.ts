import { randomBytes } from 'node:crypto';
import type { PasswordReset } from '../../platform/identity/identity-provider.ts';
import { revokeCredentials } from '../../platform/identity/queries.ts';
import { NO_DEVICE, type ProviderContext } from './context.ts';
import { emitEvent } from './emit-event.ts';
import { endOtherSessions } from './end-session.ts';
import { hashPassword } from './passwords.ts';
import { toBackendUserResponse } from './responses.ts';
import { revokePendingTickets } from './ticket-queries.ts';
import { findUser, lockUser, overwritePassword } from './user-queries.ts';

/**
 * Gives a person a new random password and revokes every other credential in one transaction: sessions, sign-in
 * tickets, API keys, assistant tokens. The password is returned here and stored as a hash alone.
 */
export async function resetPassword(
  { sql, keys }: Pick<ProviderContext, 'sql' | 'keys'>,
  idpId: string,
): Promise<PasswordReset> {
  const password = randomBytes(15).toString('base64url');
  const hash = await hashPassword(password);
  return sql.transaction(async (tx): Promise<PasswordReset> => {
    const user = await findUser(tx, idpId);
    if (!user) return { ok: false, reason: 'not_here' };
    if (user.password_hash === null) return { ok: false, reason: 'no_password' };
    // Before the person's row, as a sign-in by ticket takes them, so that the two never wait for each other.
    await revokePendingTickets(tx, idpId);
    await overwritePassword(tx, idpId, hash);
    await emitEvent(tx, { keys }, 'user.updated', toBackendUserResponse((await lockUser(tx, idpId))!), NO_DEVICE);
    await endOtherSessions(tx, { keys }, idpId, '', NO_DEVICE);
    await revokeCredentials(tx, idpId);
    return { ok: true, password };
  });
}
