import type { ServiceSql } from '../../platform/database/roles.ts';
import { assertSignedOut, type Browser, renewClient, toClientResponse } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { commitWithEvents } from './emit-event.ts';
import { newId } from './ids.ts';
import { verifyCodeWithinLimits } from './limit-attempts.ts';
import { providerErrors } from './provider-error.ts';
import { isId } from './read-body.ts';
import type { PendingSignInRow, UserRow } from './rows.ts';
import { countCode, deletePendingSignIns, findPendingSignIn, insertPendingSignIn } from './second-factor-queries.ts';
import { startSession, type StartedSession } from './start-session.ts';
import { findUser, lockUser } from './user-queries.ts';
import { type SecondFactorProof, verifySecondFactor } from './verify-second-factor.ts';

/** Time in seconds within which the second factor must follow the first. */
const LIFETIME_SECONDS = 600;
/** Codes that may be entered in one sign-in. */
const MAX_CODES = 5;

/** A sign-in that waits for the second factor. */
export interface PendingSignIn {
  pending: PendingSignInRow;
  user: UserRow;
  /** Value of the new client cookie. */
  secret: string;
  /** The client as the response shows it. */
  client: object;
}

/**
 * Continues after the first factor, in the caller's transaction: starts a session, or a sign-in of this browser that
 * waits for the second factor if the user has one. `user` is the row that the transaction locks.
 */
export async function completeFirstFactor(
  sql: ServiceSql,
  context: ProviderContext,
  user: UserRow,
  browser: Browser,
): Promise<StartedSession | PendingSignIn> {
  if (user.totp_enabled_at === null) return startSession(sql, context, user.id, browser);
  const { client, secret } = await renewClient(sql, browser);
  const signIn = { id: newId('sia'), client_id: client.id, user_id: user.id };
  const pending = await insertPendingSignIn(sql, signIn, LIFETIME_SECONDS);
  return { pending, user, secret, client: await toClientResponse(context, client, browser.origin, sql) };
}

/** Starts the session of a pending sign-in with a code of the second factor. Throws the provider's errors. */
export async function completeSecondFactor(
  context: ProviderContext,
  { id, proof, browser }: { id: string; proof: SecondFactorProof; browser: Browser },
): Promise<StartedSession> {
  await assertSignedOut(context, browser);
  const { client } = browser;
  const found = client && isId(id) ? await findPendingSignIn(context.sql, id, client.id) : undefined;
  const user = found && (await findUser(context.sql, found.user_id));
  if (!user) throw providerErrors.notFound('sign in', id);
  let attempts = 0;
  const startedSession = await verifyCodeWithinLimits(context, browser, user, () =>
    commitWithEvents(context, async (sql) => {
      // Whoever changes the password or the factor deletes the sign-in under the same lock.
      await lockUser(sql, user.id);
      const pending = await countCode(sql, id);
      // It expired or another request ended it in between, so this is no guess.
      if (!pending) throw providerErrors.notFound('sign in', id);
      ({ attempts } = pending);
      if (attempts > MAX_CODES || !(await verifySecondFactor(sql, user.id, proof))) return undefined;
      await deletePendingSignIns(sql, user.id);
      return startSession(sql, context, user.id, browser, true);
    }),
  );
  if (startedSession) return startedSession;
  throw attempts < MAX_CODES ? providerErrors.codeIncorrect() : providerErrors.codesFailed();
}
