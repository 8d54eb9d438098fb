import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { toRateLimitAddress } from '../../platform/http/rate-limit-address.ts';
import { readCookie } from '../../platform/identity/cookies.ts';
import { BASE_PATH, type Device, type ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import { issueSessionToken } from './issue-tokens.ts';
import { limitMember } from './limit-attempts.ts';
import { providerErrors } from './provider-error.ts';
import { isId } from './read-body.ts';
import type { ClientRow, SessionRow } from './rows.ts';
import { findClient, findSession, insertClient, listClientSessions, rotateClient } from './session-queries.ts';
import { toClientObject, type ActiveSession } from './responses.ts';
import { findUser } from './user-queries.ts';

const COOKIE = '__client';
/** Lifetime of the client cookie in seconds, equal to that of the hosted provider. */
const COOKIE_SECONDS = 400 * 86_400;

const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The browser that sent a request, identified by its cookie. */
export interface Browser {
  client: ClientRow | undefined;
  secretHash: Buffer | undefined;
  device: Device;
  /** Address that rate limits count by. See `toRateLimitAddress`. */
  address: string;
  /** Origin of the page, which its session tokens contain. For a client that is no browser it is our own origin. */
  origin: string;
}

/** A browser on one of its sessions. */
export interface SessionBrowser extends Browser {
  client: ClientRow;
  session: SessionRow;
}

export function readDevice(request: FastifyRequest): Device {
  return { ipAddress: request.ip ?? null, userAgent: request.headers['user-agent']?.slice(0, 500) ?? null };
}

export async function readBrowser(context: ProviderContext, request: FastifyRequest): Promise<Browser> {
  const secret = readCookie(request.headers.cookie, COOKIE);
  const secretHash = secret === undefined ? undefined : hashSecret(secret);
  return {
    client: secretHash && (await findClient(context.sql, secretHash)),
    secretHash,
    device: readDevice(request),
    address: toRateLimitAddress(request),
    origin: request.headers.origin ?? context.homeOrigin,
  };
}

/**
 * Throws `session_exists` if the browser is already signed in. One user per browser is the default of the hosted
 * provider.
 */
export async function assertSignedOut(context: ProviderContext, browser: Browser): Promise<void> {
  if (browser.client && (await listClientSessions(context.sql, browser.client.id)).length > 0)
    throw providerErrors.sessionExists();
}

/**
 * Returns the browser's own session by id, active or ended, and counts the request for its user. Throws "not found" for
 * the session of another browser.
 */
export async function findOwnSession(
  context: ProviderContext,
  request: FastifyRequest,
  id: string,
): Promise<SessionBrowser> {
  const { client, ...browser } = await readBrowser(context, request);
  if (!client) throw providerErrors.signedOut();
  const session = isId(id) ? await findSession(context.sql, id) : undefined;
  if (!session || session.client_id !== client.id) throw providerErrors.notFound('session', id);
  await limitMember(context, request, session.user_id);
  return { ...browser, client, session };
}

/** Gives the client a new secret. A cookie that was known before the sign-in is useless after it. */
export async function renewClient(sql: ServiceSql, browser: Browser): Promise<{ client: ClientRow; secret: string }> {
  const secret = randomBytes(32).toString('base64url');
  if (!browser.client) return { client: await insertClient(sql, newId('client'), hashSecret(secret)), secret };
  const client = await rotateClient(sql, browser.client.id, browser.secretHash!, hashSecret(secret));
  // A concurrent sign-in of this browser was faster.
  if (!client) throw providerErrors.sessionExists();
  return { client, secret };
}

/** Sets the client cookie. Scripts cannot read it, and other sites cannot send it with a write. */
export function setClientCookie(
  context: ProviderContext,
  reply: FastifyReply,
  secret: string,
  seconds = COOKIE_SECONDS,
): void {
  const cookie = `${COOKIE}=${secret}; Path=${BASE_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
  reply.header('set-cookie', context.secureCookie ? `${cookie}; Secure` : cookie);
}

/** Cookie of a browser that signs in by passkey and has no client yet. */
const SIGN_IN_COOKIE = '__sign_in';
const SIGN_IN_SECRET = /^[\w-]{43}$/;

/** Returns the hash of the browser's sign-in cookie, or `undefined` without one. */
export function readSignInBrowser(request: FastifyRequest): Buffer | undefined {
  const secret = readCookie(request.headers.cookie, SIGN_IN_COOKIE);
  return secret !== undefined && SIGN_IN_SECRET.test(secret) ? hashSecret(secret) : undefined;
}

/** Returns the hash of the browser's sign-in cookie, which a browser without one gets. Its tabs share the cookie. */
export function ensureSignInBrowser(
  context: ProviderContext,
  request: FastifyRequest,
  reply: FastifyReply,
  seconds: number,
): Buffer {
  const known = readCookie(request.headers.cookie, SIGN_IN_COOKIE);
  const secret = known !== undefined && SIGN_IN_SECRET.test(known) ? known : randomBytes(32).toString('base64url');
  const cookie = `${SIGN_IN_COOKIE}=${secret}; Path=${BASE_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  reply.header('set-cookie', context.secureCookie ? `${cookie}; Secure` : cookie);
  return hashSecret(secret);
}

/** Returns the client as the browser library expects it in every response: each active session with a new token. */
export async function toClientResponse(
  context: ProviderContext,
  client: ClientRow,
  origin: string,
  sql: ServiceSql = context.sql,
): Promise<object> {
  const activeSessions: ActiveSession[] = [];
  for (const session of await listClientSessions(sql, client.id)) {
    const user = await findUser(sql, session.user_id);
    if (user) activeSessions.push({ session, user, jwt: await issueSessionToken(context, session, origin) });
  }
  return toClientObject(client, activeSessions, client.created_at + COOKIE_SECONDS * 1000);
}
