import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { readCookie } from './cookies.ts';
import type { Member, ReservedAccounts } from './member.ts';
import { classifyOrigin } from './origins.ts';
import { checkSessionToken, type SessionClaims, type TokenRules } from './session-token.ts';

const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+) *$/i;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const MAX_SEEN_MEMBERS = 100_000;

/** How long a member who existed is assumed to exist, and so how long a deleted one may go on, in every process. */
const SEEN_TTL_MS = 10_000;

interface SessionCheckOptions {
  rules: TokenRules;
  /** Origins from which a cookie may carry a write. */
  origins: ReadonlySet<string>;
  /** Names the cookie's suffixed form, which the provider's library prefers. */
  publishableKey?: string | undefined;
  accounts: ReservedAccounts;
  /** Makes the member's row at first sight; `false` where the member has been deleted. */
  ensureMember(idpId: string): Promise<boolean>;
  /** A monotonic clock in milliseconds. */
  clock?: (() => number) | undefined;
  /** A last word on a session that is valid in itself; `false` refuses it. */
  sessionGate?: ((member: Member) => Promise<boolean>) | undefined;
}

/** Answers with the member that sent the request, or throws UNAUTHENTICATED, CROSS_ORIGIN or UNAVAILABLE. */
export type RequireMember = (request: FastifyRequest, options?: { gate?: boolean }) => Promise<Member>;

/**
 * The session check: a bearer header or the provider's session cookie. Two valid ones must be of the same session; a
 * write carried by the cookie must come from a page of ours. `gate: false` leaves out the session gate.
 */
export function createSessionCheck(options: SessionCheckOptions): RequireMember {
  /** Members by identifier, with the moment until which they need not be looked for. */
  const seenUntilByMember = new Map<string, number>();
  const { clock = () => performance.now() } = options;
  const cookieNames = getCookieNames(options.publishableKey);

  return async (request, { gate = true } = {}) => {
    const claims = await readClaims(request, options, cookieNames);
    const member: Member = {
      idpId: claims.sub,
      sessionId: claims.sid,
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
    // A cookie that is stale or another site's is ignored; a valid one of another session means confusion.
    const cookieCheck = cookieToken === undefined ? undefined : await checkSessionToken(cookieToken, rules);
    if (cookieCheck?.ok && (cookieCheck.claims.sub !== claims.sub || cookieCheck.claims.sid !== claims.sid))
      throw new AppError('UNAUTHENTICATED');
    return claims;
  }
  if (cookieToken === undefined) throw new AppError('UNAUTHENTICATED');
  const claims = await verifyToken(cookieToken, rules);
  if (!SAFE_METHODS.has(request.method) && classifyOrigin(request.headers, origins) !== 'same')
    throw new AppError('CROSS_ORIGIN');
  return claims;
}

async function verifyToken(token: string, rules: TokenRules): Promise<SessionClaims> {
  const check = await checkSessionToken(token, rules);
  if (check.ok) return check.claims;
  if (check.reason === 'unavailable') throw new AppError('UNAVAILABLE', { retryAfter: 5 });
  throw new AppError('UNAUTHENTICATED');
}

/** `__session` and, first, its form with the suffix that the provider's library derives from the publishable key. */
function getCookieNames(publishableKey: string | undefined): string[] {
  if (!publishableKey) return ['__session'];
  const digest = createHash('sha1').update(publishableKey).digest('base64');
  const suffix = digest.replaceAll('+', '-').replaceAll('/', '_').slice(0, 8);
  return [`__session_${suffix}`, '__session'];
}
