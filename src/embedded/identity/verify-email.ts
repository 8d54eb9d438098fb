import { enqueueAccountMail } from './account-mail.ts';
import type { Browser } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { verifyPasswordWithinLimits } from './limit-attempts.ts';
import { consumeLink, findLinkByCode } from './one-time-links.ts';
import { lockSignedIn } from './own-account.ts';
import { providerErrors } from './provider-error.ts';
import { toBackendUserResponse } from './responses.ts';
import { cancelAddressChange, lockCredentials, revokeForEvent } from './revoke-credentials.ts';
import type { LinkRow, SessionRow, UserRow } from './rows.ts';
import { listClientSessions } from './session-queries.ts';
import { adoptNewEmail, findUser, markEmailVerified } from './user-queries.ts';

interface Confirmation {
  code: string;
  /** Proves the account in a browser that is not signed in to it. */
  password: string | undefined;
  browser: Browser;
}

/**
 * Verifies the address of a link, which also replaces the user's address if the link is for a new one. Whoever reads
 * the mail may not be the member, so the browser must be signed in to the account, or, for an account without an
 * authenticator app, the password must be right.
 */
export async function verifyEmailByLink(
  context: ProviderContext,
  { code, password, browser }: Confirmation,
): Promise<UserRow> {
  const { device } = browser;
  const link = await findLinkByCode(context.sql, code, ['verify_email', 'change_email']);
  const owner = await findUser(context.sql, link.user_id);
  if (!owner) throw providerErrors.linkInvalid();
  const session = await proveAccount(context, owner, password, browser);
  return commitWithEvents(context, async (sql) => {
    const before = session ? await lockSignedIn(sql, { user: owner, session }) : await lockCredentials(sql, owner.id);
    // A new password or an app between the proof and the lock makes the password that was entered worthless.
    if (!before || (!session && !isProvedByPassword(before, owner))) throw providerErrors.linkInvalid();
    await consumeLink(sql, link);
    const isChange = link.purpose === 'change_email';
    const user = await (isChange ? adoptNewEmail : markEmailVerified)(sql, link.user_id, link.email);
    if (!user) throw providerErrors.linkInvalid();
    await revokeForEvent(sql, context, isChange ? 'address_changed' : 'address_confirmed', { userId: user.id, device });
    if (isChange)
      await enqueueAccountMail(sql, context, { kind: 'email_changed', userId: user.id, formerEmail: before.email });
    await emitEvent(sql, context, 'user.updated', toBackendUserResponse(user), device);
    return user;
  });
}

/** Returns whether the password that was right for the user before still opens the account alone. */
const isProvedByPassword = (user: UserRow, before: UserRow): boolean =>
  user.password_hash === before.password_hash && user.totp_enabled_at === null;

/**
 * Returns the browser's session of the account, or undefined if the browser has none and the password is right. Throws
 * otherwise.
 */
async function proveAccount(
  context: ProviderContext,
  user: UserRow,
  password: string | undefined,
  browser: Browser,
): Promise<SessionRow | undefined> {
  const sessions = browser.client ? await listClientSessions(context.sql, browser.client.id) : [];
  const session = sessions.find((found) => found.user_id === user.id);
  if (session) return session;
  // The password alone opens no account that has an authenticator app.
  if (password === undefined || user.totp_enabled_at !== null) throw providerErrors.signedOut();
  const attempt = { browser, email: user.email.toLowerCase(), password, hash: user.password_hash };
  if (!(await verifyPasswordWithinLimits(context, attempt))) throw providerErrors.passwordIncorrect('password');
  return undefined;
}

/** Stops the change of address that a mail to the current address told about. The link alone may stop it. */
export async function stopEmailChange(context: ProviderContext, code: string): Promise<LinkRow> {
  const link = await findLinkByCode(context.sql, code, ['stop_email_change']);
  return commitWithEvents(context, async (sql) => {
    await lockCredentials(sql, link.user_id);
    await consumeLink(sql, link);
    await cancelAddressChange(sql, link.user_id);
    return link;
  });
}
