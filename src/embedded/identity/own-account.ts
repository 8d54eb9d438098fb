import type { FastifyRequest } from 'fastify';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { readBrowser, type SessionBrowser } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { limitMember } from './limit-attempts.ts';
import { providerErrors } from './provider-error.ts';
import { lockCredentials } from './revoke-credentials.ts';
import type { SessionRow, UserRow } from './rows.ts';
import { findSession, listClientSessions } from './session-queries.ts';
import { findUser } from './user-queries.ts';

export type SignedIn = SessionBrowser & { user: UserRow };

/** Returns whether the user is the demo account or the sample user, which have no credentials of their own. */
export const isReserved = ({ accounts }: Pick<ProviderContext, 'accounts'>, userId: string): boolean =>
  userId === accounts.demoAccountId || userId === accounts.sampleUserId;

/** Returns the signed-in user of the browser, and counts the request for this user. Throws if there is none. */
export async function requireSignedIn(context: ProviderContext, request: FastifyRequest): Promise<SignedIn> {
  const { client, ...browser } = await readBrowser(context, request);
  const session = client && (await listClientSessions(context.sql, client.id))[0];
  const user = session && (await findUser(context.sql, session.user_id));
  if (!client || !session || !user) throw providerErrors.signedOut();
  await limitMember(context, request, user.id);
  return { ...browser, client, session, user };
}

/**
 * Returns the signed-in user. Throws for the demo account and the sample user, which visitors share: they own neither
 * credentials nor sessions.
 */
export async function requireOwnAccount(context: ProviderContext, request: FastifyRequest): Promise<SignedIn> {
  const signedIn = await requireSignedIn(context, request);
  assertNotReserved(context, signedIn.user.id);
  return signedIn;
}

/** Throws for the demo account and the sample user. */
export function assertNotReserved({ accounts }: Pick<ProviderContext, 'accounts'>, userId: string): void {
  if (userId === accounts.demoAccountId) throw providerErrors.demoAccount();
  if (userId === accounts.sampleUserId) throw providerErrors.sampleUser();
}

/**
 * Locks the credentials of a user in the transaction that changes them. Returns no row if the session has ended in
 * between, since nothing may be changed in a session that a revocation has ended.
 */
export async function lockActiveSession(
  sql: ServiceSql,
  userId: string,
  sessionId: string,
): Promise<UserRow | undefined> {
  const user = await lockCredentials(sql, userId);
  // A separate statement, so that it sees what was committed while it waited for the lock.
  const session = await findSession(sql, sessionId);
  return session?.status === 'active' && session.user_id === userId ? user : undefined;
}

/**
 * Like `lockActiveSession` for the signed-in user, whose every change begins with it. Throws if the session has ended.
 */
export async function lockSignedIn(sql: ServiceSql, { user, session }: Pick<SignedIn, 'user' | 'session'>) {
  const locked = await lockActiveSession(sql, user.id, session.id);
  if (!locked) throw providerErrors.signedOut();
  return locked;
}

/** Time in ms after a sign-in or a re-entered password in which credentials may be changed. */
const FRESH_MS = 10 * 60_000;

/** Throws if the user has not entered a credential in this session within the last ten minutes. */
export function assertFresh({ verified_at: verifiedAt }: SessionRow): void {
  if (Date.now() - verifiedAt > FRESH_MS) throw providerErrors.reverificationRequired();
}
