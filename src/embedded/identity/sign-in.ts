import { startSession, type StartedSession } from './start-session.ts';
import { type Browser, assertSignedOut } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { readTicket } from './issue-tokens.ts';
import { commitWithEvents } from './emit-event.ts';
import { verifyPasswordWithinLimits } from './limit-attempts.ts';
import { isReserved } from './own-account.ts';
import type { AssertionCredential } from './passkey-credentials.ts';
import { recordPasskeyUse, toSignInScope, verifyPasskey } from './passkeys.ts';
import { completeFirstFactor, type PendingSignIn } from './pending-sign-in.ts';
import { providerErrors } from './provider-error.ts';
import { findTicket, closePendingTicket } from './ticket-queries.ts';
import { findUserByEmail, lockUser } from './user-queries.ts';

/**
 * Signs in by password (`email` in lower case). Returns the session, or a pending sign-in if the user has a second
 * factor. Every failure throws the same error after the same work, so that it does not reveal which accounts exist.
 */
export async function signInByPassword(
  context: ProviderContext,
  email: string,
  password: string,
  browser: Browser,
): Promise<StartedSession | PendingSignIn> {
  await assertSignedOut(context, browser);
  const user = await findUserByEmail(context.sql, email);
  // Sessions of the demo account and of the sample user start only from tickets.
  const mayUsePassword = user !== undefined && !isReserved(context, user.id);
  const hash = mayUsePassword ? user.password_hash : null;
  const isCorrect = await verifyPasswordWithinLimits(context, { browser, email, password, hash });
  if (!user || !isCorrect) throw providerErrors.credentialsIncorrect();
  return commitWithEvents(context, async (sql) => {
    // If the password was changed or reset in between, no session starts.
    const locked = await lockUser(sql, user.id);
    if (!locked || locked.password_hash !== hash) throw providerErrors.credentialsIncorrect();
    return completeFirstFactor(sql, context, locked, browser);
  });
}

/**
 * Signs in by passkey, which replaces the password and the second factor because the authenticator verifies the user.
 * `id` is that of the sign-in, and `browserHash` identifies the browser that started it. Throws the provider's errors.
 */
export async function signInByPasskey(
  context: ProviderContext,
  { id, browserHash, credential }: { id: string; browserHash: Buffer; credential: AssertionCredential },
  browser: Browser,
): Promise<StartedSession> {
  await assertSignedOut(context, browser);
  const passkey = await verifyPasskey(context, toSignInScope(id, browserHash), credential);
  return commitWithEvents(context, async (sql) => {
    // The lock precedes the row of the passkey, as in a revocation.
    await lockUser(sql, passkey.userId);
    await recordPasskeyUse(sql, passkey);
    return startSession(sql, context, passkey.userId, browser, true);
  });
}

/**
 * Signs in by a ticket, which starts exactly one session. Throws the reason if the ticket is not valid. A ticket stays
 * valid if its session cannot start.
 */
export async function signInByTicket(
  context: ProviderContext,
  ticket: string,
  browser: Browser,
): Promise<StartedSession> {
  const id = await readTicket(context, ticket);
  if (id === undefined) throw providerErrors.ticketInvalid();
  await assertSignedOut(context, browser);
  const startedSession = await commitWithEvents(context, async (sql) => {
    const redeemed = await closePendingTicket(sql, id, 'accepted');
    return redeemed && startSession(sql, context, redeemed.user_id, browser);
  });
  if (!startedSession) throw await toTicketError(context, id);
  return startedSession;
}

/** Returns the error that says why a ticket started no session. */
async function toTicketError(context: ProviderContext, id: string): Promise<Error> {
  const ticket = await findTicket(context.sql, id);
  switch (ticket?.status) {
    case 'accepted':
      return providerErrors.ticketUsed();
    case 'revoked':
      return providerErrors.ticketRevoked();
    case 'expired':
    case 'pending':
      return providerErrors.ticketUnusable();
    case undefined:
      return providerErrors.ticketInvalid();
  }
}
