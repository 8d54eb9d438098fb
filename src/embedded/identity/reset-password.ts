import { randomBytes } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { PasswordReset } from '../../platform/identity/identity-provider.ts';
import { revokeCredentials } from '../../platform/identity/queries.ts';
import { enqueueAccountMail } from './account-mail.ts';
import { type Device, NO_DEVICE, type ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { endOtherSessions } from './end-session.ts';
import { closeLinks } from './link-queries.ts';
import { consumeLink, createLinkCode, findLinkByCode, toLinkUrl } from './one-time-links.ts';
import { hashPassword } from './passwords.ts';
import { providerErrors } from './provider-error.ts';
import { isReserved } from './own-account.ts';
import { toBackendUserResponse } from './responses.ts';
import type { UserRow } from './rows.ts';
import { revokePendingTickets } from './ticket-queries.ts';
import { findUser, overwritePassword } from './user-queries.ts';

/** Lifetime in seconds of a link that the operator hands over. */
const OPERATOR_LINK_SECONDS = 86_400;

/**
 * Replaces the password of a user by a random one that nobody knows, revokes every other credential, and returns a link
 * with which the user sets a new password.
 */
export async function resetPassword(
  context: Pick<ProviderContext, 'sql' | 'keys' | 'homeOrigin' | 'accounts'>,
  idpId: string,
): Promise<PasswordReset> {
  const hash = await hashPassword(randomBytes(32).toString('base64url'));
  return context.sql.transaction(async (tx): Promise<PasswordReset> => {
    const user = await findUser(tx, idpId);
    if (!user) return { ok: false, reason: 'external_provider' };
    if (user.password_hash === null || isReserved(context, user.id)) return { ok: false, reason: 'no_password' };
    const updated = await replaceCredentials(tx, context, { userId: idpId, hash, device: NO_DEVICE });
    if (!updated) return { ok: false, reason: 'external_provider' };
    const link = { user_id: idpId, purpose: 'reset_password', email: updated.email } as const;
    const code = await createLinkCode(tx, link, OPERATOR_LINK_SECONDS);
    return { ok: true, link: toLinkUrl(context.homeOrigin, 'reset_password', code) };
  });
}

/**
 * Sets a new password with the code of a link, and revokes every other credential. Throws the provider's errors. A
 * password that is rejected does not use up the link.
 */
export async function resetPasswordByLink(
  context: ProviderContext,
  { code, password, device }: { code: string; password: string; device: Device },
): Promise<UserRow> {
  const link = await findLinkByCode(context.sql, code, ['reset_password']);
  const hash = await hashPassword(password, { email: link.email, cost: context.passwordCost });
  const user = await commitWithEvents(context, async (sql) => {
    const updated = await replaceCredentials(sql, context, { userId: link.user_id, hash, device, consume: link });
    // A link to a former address opens nothing.
    if (!updated || updated.email !== link.email) throw providerErrors.linkInvalid();
    await enqueueAccountMail(sql, context, { kind: 'password_changed', userId: updated.id });
    return updated;
  });
  // Wrong guesses from elsewhere may have locked the account.
  await context.limits.failures.reset(user.email.toLowerCase());
  return user;
}

interface NewCredentials {
  userId: string;
  hash: string;
  device: Device;
  /** The link that is used up. Another user of the link fails. */
  consume?: Parameters<typeof consumeLink>[1];
}

/**
 * Sets a password hash and revokes every other credential in the caller's transaction: sessions, sign-in tickets, links,
 * API keys, assistant tokens. Returns `undefined` for a deleted user.
 */
async function replaceCredentials(
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  { userId, hash, device, consume }: NewCredentials,
): Promise<UserRow | undefined> {
  // A sign-in by ticket locks tickets before the user's row. An equal order prevents a deadlock.
  await revokePendingTickets(sql, userId);
  if (consume) await consumeLink(sql, consume);
  const updated = await overwritePassword(sql, userId, hash);
  if (!updated) return undefined;
  await closeLinks(sql, userId, 'reset_password');
  await emitEvent(sql, context, 'user.updated', toBackendUserResponse(updated), device);
  await endOtherSessions(sql, context, userId, null, device);
  await revokeCredentials(sql, userId);
  return updated;
}
