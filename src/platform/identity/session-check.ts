import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { readCookie } from './cookies.ts';
import type { Member, ReservedAccounts } from './member.ts';
import { classifyOrigin, createCrossOriginError } from './origins.ts';
import { checkSessionToken, type SessionClaims, type TokenRules } from './session-token.ts';

const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+) *$/i;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const MAX_SEEN_MEMBERS = 100_000;

/** Time in ms for which a member is assumed to exist. A deleted member may continue for this time in every process. */
const SEEN_TTL_MS = 10_000;

interface SessionCheckOptions {
  rules: TokenRules;
  /** Origins from which a cookie may authenticate a write. */
  origins: ReadonlySet<string>;
  /** Key that names the suffixed cookie, which the provider's library prefers. */
  publishableKey?: string | undefined;
  accounts: ReservedAccounts;
  /** Inserts the member's row at the first request. Returns `false` if the member was deleted. */
  ensureMember(idpId: string): Promise<boolean>;
  /** A monotonic clock in ms. */
  clock?: (() => number) | undefined;
  /** Final check of a valid session. `false` rejects the session. */
  sessionGate?: ((member: Member) => Promise<boolean>) | undefined;
}

/** Returns the member that sent the request. Throws UNAUTHENTICATED, CROSS_ORIGIN or UNAVAILABLE. */
export type RequireMember = (request: FastifyRequest, options?: { gate?: boolean }) => Promise<Member>;

/**
 * Creates the session check, which accepts a bearer header or the provider's session cookie. If both are valid, they
 * must belong to one session. A write with a cookie must come from our own page. `gate: false` skips the session gate.
 */
export function createSessionCheck(options: SessionCheckOptions): RequireMember {
  /** Members by identifier, with the time until which the database need not be read. */
  const seenUntilByMember = new Map<string, number>();
  const { clock = () => performance.now() } = options;
  const cookieNames = getCookieNames(options.publishableKey);

  return async (request, { gate = true } = {}) => {
    const claims = await readClaims(request, options, cookieNames);
    const member: Member = {
      idpId: claims.sub,
      sessionId: claims.sid,
      verifiedAt: claims.verifiedAt,
      isDemoAccount: claims.sub === options.accounts.demoAccountId,
      isSampleUser: claims.sub === options.accounts.sampleUserId,
    };
    if (!((seenUntilByMember.get(member.idpId) ?? 0) > clock())) {
      if (!(await options.ensureMember(member.idpId))) throw new AppError('UNAUTHENTICATED');
      if (seenUntilByMember.size >= MAX_SEEN_MEMBERS) seenUntilByMember.clear();
      seenUntilByMember.set(member.idpId, clock() + SEEN_TTL_MS);
    }
    if (gate && options.sessionGate && !(await options.sessionGate(member))) throw new AppError('UNAUTHENTICATED');
    return member;
  };
}

async function readClaims(
  request: FastifyRequest,
  { rules, origins }: SessionCheckOptions,
  cookieNames: readonly string[],
): Promise<SessionClaims> {
  const { authorization, cookie } = request.headers;
  const cookieToken = cookieNames.map((name) => readCookie(cookie, name)).find((value) => value !== undefined);
  if (authorization !== undefined) {
    const bearer = BEARER.exec(authorization)?.[1];
    if (bearer === undefined) throw new AppError('UNAUTHENTICATED');
    const claims = await verifyToken(bearer, rules);
    // An outdated or foreign cookie is ignored. A valid cookie of another session is a conflict.
    const cookieCheck = cookieToken === undefined ? undefined : await checkSessionToken(cookieToken, rules);
    if (cookieCheck?.ok && (cookieCheck.claims.sub !== claims.sub || cookieCheck.claims.sid !== claims.sid))
      throw new AppError('UNAUTHENTICATED');
    return claims;
  }
  if (cookieToken === undefined) throw new AppError('UNAUTHENTICATED');
  const claims = await verifyToken(cookieToken, rules);
  if (!SAFE_METHODS.has(request.method) && classifyOrigin(request.headers, origins) !== 'same')
    throw createCrossOriginError(request.headers, origins);
  return claims;
}

async function verifyToken(token: string, rules: TokenRules): Promise<SessionClaims> {
  const check = await checkSessionToken(token, rules);
  if (check.ok) return check.claims;
  if (check.reason === 'unavailable') throw new AppError('UNAVAILABLE', { retryAfter: 5 });
  throw new AppError('UNAUTHENTICATED');
}

/**
 * Returns the cookie names: first the suffixed one, which the provider's library derives from the publishable key, then
 * `__session`.
 */
function getCookieNames(publishableKey: string | undefined): string[] {
  if (!publishableKey) return ['__session'];
  const digest = createHash('sha1').update(publishableKey).digest('base64');
  const suffix = digest.replaceAll('+', '-').replaceAll('/', '_').slice(0, 8);
  return [`__session_${suffix}`, '__session'];
}
