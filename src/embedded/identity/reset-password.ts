import { randomBytes } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { PasswordReset } from '../../platform/identity/identity-provider.ts';
import type { AccountEventName } from './account-events.ts';
import { enqueueAccountMail } from './account-mail.ts';
import { type Browser, renewClient } from './browser-client.ts';
import { type Device, NO_DEVICE, type ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { bindLink, findBoundLink } from './link-queries.ts';
import { consumeLink, createLinkCode, findLinkByCode, toLinkUrl } from './one-time-links.ts';
import { completeFirstFactor, type PendingSignIn } from './pending-sign-in.ts';
import { HASH_RANKS, hashPassword, OPERATOR } from './passwords.ts';
import { providerErrors } from './provider-error.ts';
import { isReserved } from './own-account.ts';
import { toBackendUserResponse } from './responses.ts';
import { lockCredentials, revokeForEvent } from './revoke-credentials.ts';
import type { ClientRow, LinkRow, UserRow } from './rows.ts';
import { listClientSessions } from './session-queries.ts';
import type { StartedSession } from './start-session.ts';
import { findUser, markEmailVerified, overwritePassword } from './user-queries.ts';

/**
 * Replaces the password of a user by a random one that nobody knows, revokes every other credential, and returns a link
 * with which the user sets a new password.
 */
export async function resetPassword(
  context: Pick<ProviderContext, 'sql' | 'keys' | 'homeOrigin' | 'accounts'>,
  idpId: string,
): Promise<PasswordReset> {
  const hash = await hashPassword(randomBytes(32).toString('base64url'), OPERATOR);
  return context.sql.transaction(async (tx): Promise<PasswordReset> => {
    const user = await lockCredentials(tx, idpId);
    if (!user) return { ok: false, reason: 'external_provider' };
    if (user.password_hash === null || isReserved(context, user.id)) return { ok: false, reason: 'no_password' };
    const updated = await replaceCredentials(tx, context, 'reset_by_operator', {
      userId: idpId,
      hash,
      device: NO_DEVICE,
    });
    if (!updated) return { ok: false, reason: 'external_provider' };
    const link = { user_id: idpId, purpose: 'operator_reset', email: updated.email } as const;
    const code = await createLinkCode(tx, link);
    return { ok: true, link: toLinkUrl(context.homeOrigin, link.purpose, code) };
  });
}

/**
 * Accepts the code of a link for a sign-in. Only this sign-in and this browser can then set the password. Returns the
 * browser's client, with the secret of its cookie if it is new. Throws the provider's errors.
 */
export async function acceptResetCode(
  context: ProviderContext,
  { signInId, code, browser }: { signInId: string; code: string; browser: Browser },
): Promise<{ client: ClientRow; secret: string | undefined }> {
  const link = await findLinkByCode(context.sql, code, ['reset_password', 'operator_reset']);
  const sessions = browser.client ? await listClientSessions(context.sql, browser.client.id) : [];
  if (sessions.some((session) => session.user_id !== link.user_id)) throw providerErrors.sessionExists();
  return context.sql.transaction(async (sql) => {
    const known = browser.client && { client: browser.client, secret: undefined };
    const accepted = known ?? (await renewClient(sql, browser));
    if (!(await bindLink(sql, link.id, signInId, accepted.client.id))) throw providerErrors.linkInvalid();
    return accepted;
  });
}

/**
 * Sets a new password after `acceptResetCode`, revokes other credentials and starts a session. A second factor stays
 * and is asked for, unless a mail proves the address for the first time: then somebody else may have set it up. Throws
 * the provider's errors. A password that is rejected does not use up the link.
 */
export async function resetPasswordInSignIn(
  context: ProviderContext,
  { signInId, password, browser }: { signInId: string; password: string; browser: Browser },
): Promise<StartedSession | PendingSignIn> {
  const { client, device } = browser;
  const link = client && (await findBoundLink(context.sql, signInId, client.id));
  if (!link) throw providerErrors.linkInvalid();
  // Whoever holds a link from the account's mailbox is no stranger.
  const hashOwner = { owner: `link ${link.id}`, rank: HASH_RANKS.known };
  const hash = await hashPassword(password, hashOwner, { email: link.email, cost: context.passwordCost });
  const startedSession = await commitWithEvents(context, async (sql) => {
    const user = await lockCredentials(sql, link.user_id);
    // A link to a former address opens nothing.
    if (!user || user.email !== link.email) throw providerErrors.linkInvalid();
    await consumeLink(sql, link);
    const event = getResetEvent(link, user);
    if (link.purpose === 'reset_password') await markEmailVerified(sql, user.id, user.email);
    const updated = await replaceCredentials(sql, context, event, { userId: user.id, hash, device });
    if (!updated) throw providerErrors.linkInvalid();
    await enqueueAccountMail(sql, context, { kind: 'password_reset', userId: updated.id });
    return completeFirstFactor(sql, context, updated, browser);
  });
  // Wrong guesses from elsewhere may have locked the account.
  await context.limits.failures.reset(link.email.toLowerCase());
  return startedSession;
}

/** Returns the event of a reset with this link. Only a mail proves the address. */
function getResetEvent({ purpose }: LinkRow, { email_verified_at: verifiedAt }: UserRow): AccountEventName {
  if (purpose === 'operator_reset') return 'reset_by_operator';
  return verifiedAt === null ? 'reset_by_mail_unproved' : 'reset_by_mail';
}

interface NewPassword {
  userId: string;
  hash: string;
  device: Device;
}

/** Sets a password hash and revokes other credentials, in a transaction that holds the lock of `lockCredentials`. */
async function replaceCredentials(
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  event: AccountEventName,
  { userId, hash, device }: NewPassword,
): Promise<UserRow | undefined> {
  await overwritePassword(sql, userId, hash);
  await revokeForEvent(sql, context, event, { userId, device });
  const updated = await findUser(sql, userId);
  if (updated) await emitEvent(sql, context, 'user.updated', toBackendUserResponse(updated), device);
  return updated;
}
