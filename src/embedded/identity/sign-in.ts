import { startSession, type StartedSession } from './start-session.ts';
import { type Browser, assertSignedOut } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { readTicket } from './issue-tokens.ts';
import { commitWithEvents } from './emit-event.ts';
import { verifyPasswordWithinLimits } from './limit-attempts.ts';
import { isReserved } from './own-account.ts';
import type { AssertionCredential } from './passkey-credentials.ts';
import { recordUse, verifyPasskey } from './passkeys.ts';
import { completeFirstFactor, type PendingSignIn } from './pending-sign-in.ts';
import { providerErrors } from './provider-error.ts';
import { findTicket, closePendingTicket } from './ticket-queries.ts';
import { findUserByEmail, lockUser } from './user-queries.ts';

/**
 * Signs in by password (`email` in lower case). A user with a second factor gets no session yet. Every failure returns
 * an equal error after equal work.
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
 * Signs in by passkey. It verifies the user, so it stands for password and second factor. `id` is that of the attempt,
 * and `browserHash` identifies the browser that started it.
 */
export async function signInByPasskey(
  context: ProviderContext,
  { id, browserHash, credential }: { id: string; browserHash: Buffer; credential: AssertionCredential },
  browser: Browser,
): Promise<StartedSession> {
  await assertSignedOut(context, browser);
  const use = { id, purpose: 'sign_in', session_id: null, browser_hash: browserHash } as const;
  const passkey = await verifyPasskey(context, use, credential);
  return commitWithEvents(context, async (sql) => {
    await recordUse(sql, passkey);
    return startSession(sql, context, passkey.userId, browser, true);
  });
}

/**
 * Redeems a ticket. Exactly one of several concurrent callers gets a session. A ticket that starts no session stays
 * valid.
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
