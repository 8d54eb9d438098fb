import { randomBytes } from 'node:crypto';
import type { ServiceSql } from '../database/roles.ts';
import { NO_DEVICE } from '../../embedded/identity/context.ts';
import { emitEvent } from '../../embedded/identity/emit-event.ts';
import { endOtherSessions } from '../../embedded/identity/end-session.ts';
import { hashPassword } from '../../embedded/identity/passwords.ts';
import { backendUserShape } from '../../embedded/identity/shapes.ts';
import { createKeyRing } from '../../embedded/identity/signing-keys.ts';
import { revokePendingTickets } from '../../embedded/identity/ticket-queries.ts';
import { findUser, lockUser, overwritePassword } from '../../embedded/identity/user-queries.ts';
import { revokeCredentials } from './queries.ts';

type Reset = { ok: true; password: string } | { ok: false; reason: 'not_here' | 'no_password' };

/**
 * Gives a person of the embedded provider a new random password and takes every other credential back, in one
 * transaction: sessions, sign-in tickets, API keys, assistant tokens. The password is returned here and stored as a
 * hash alone. `not_here`: a hosted provider keeps their password. `no_password`: the demo account and the sample user
 * sign in without one.
 */
export async function resetPassword(sql: ServiceSql, idpId: string): Promise<Reset> {
  const keys = createKeyRing(sql);
  const password = randomBytes(15).toString('base64url');
  const hash = await hashPassword(password);
  return sql.transaction(async (tx): Promise<Reset> => {
    const user = await findUser(tx, idpId);
    if (!user) return { ok: false, reason: 'not_here' };
    if (user.password_hash === null) return { ok: false, reason: 'no_password' };
    // Before the person's row, as a sign-in by ticket takes them, so that the two never wait for each other.
    await revokePendingTickets(tx, idpId);
    await overwritePassword(tx, idpId, hash);
    await emitEvent(tx, { keys }, 'user.updated', backendUserShape((await lockUser(tx, idpId))!), NO_DEVICE);
    await endOtherSessions(tx, { keys }, idpId, '', NO_DEVICE);
    await revokeCredentials(tx, idpId);
    return { ok: true, password };
  });
}
