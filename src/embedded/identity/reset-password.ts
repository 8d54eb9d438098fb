import { randomBytes } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { PasswordReset } from '../../platform/identity/identity-provider.ts';
import { revokeCredentials } from '../../platform/identity/queries.ts';
import { enqueueAccountMail } from './account-mail.ts';
import { type Browser, renewClient } from './browser-client.ts';
import { type Device, NO_DEVICE, type ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { endOtherSessions } from './end-session.ts';
import { bindLink, closeLinks, findBoundLink } from './link-queries.ts';
import { consumeLink, createLinkCode, findLinkByCode, toLinkUrl } from './one-time-links.ts';
import { completeFirstFactor, type PendingSignIn } from './pending-sign-in.ts';
import { hashPassword, OPERATOR } from './passwords.ts';
import { providerErrors } from './provider-error.ts';
import { isReserved } from './own-account.ts';
import { toBackendUserResponse } from './responses.ts';
import type { ClientRow, UserRow } from './rows.ts';
import { listClientSessions } from './session-queries.ts';
import type { StartedSession } from './start-session.ts';
import { deletePendingSignIns } from './second-factor-queries.ts';
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
  const hash = await hashPassword(randomBytes(32).toString('base64url'), OPERATOR);
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
 * Accepts the code of a link for a sign-in. Only this sign-in and this browser can then set the password. Returns the
 * browser's client, with the secret of its cookie if it is new. Throws the provider's errors.
 */
export async function acceptResetCode(
  context: ProviderContext,
  { signInId, code, browser }: { signInId: string; code: string; browser: Browser },
): Promise<{ client: ClientRow; secret: string | undefined }> {
  const link = await findLinkByCode(context.sql, code, ['reset_password']);
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
 * Sets a new password after `acceptResetCode`, revokes every other credential and starts a session. A
 * second factor stays and is asked for. Throws the provider's errors. A password that is rejected does not use up the link.
 */
export async function resetPasswordInSignIn(
  context: ProviderContext,
  { signInId, password, browser }: { signInId: string; password: string; browser: Browser },
): Promise<StartedSession | PendingSignIn> {
  const { client, device } = browser;
  const link = client && (await findBoundLink(context.sql, signInId, client.id));
  if (!link) throw providerErrors.linkInvalid();
  // Whoever holds a link from the account's mailbox is no stranger.
  const hashOwner = { owner: `link ${link.id}`, isKnown: true };
  const hash = await hashPassword(password, hashOwner, { email: link.email, cost: context.passwordCost });
  const startedSession = await commitWithEvents(context, async (sql) => {
    const updated = await replaceCredentials(sql, context, { userId: link.user_id, hash, device, consume: link });
    // A link to a former address opens nothing.
    if (!updated || updated.email !== link.email) throw providerErrors.linkInvalid();
    await enqueueAccountMail(sql, context, { kind: 'password_changed', userId: updated.id });
    return completeFirstFactor(sql, context, updated, browser);
  });
  // Wrong guesses from elsewhere may have locked the account.
  await context.limits.failures.reset(link.email.toLowerCase());
  return startedSession;
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
  await deletePendingSignIns(sql, userId);
  await emitEvent(sql, context, 'user.updated', toBackendUserResponse(updated), device);
  await endOtherSessions(sql, context, userId, null, device);
  await revokeCredentials(sql, userId);
  return updated;
}
