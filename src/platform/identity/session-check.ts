import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../../errors.ts';
import { readCookie } from './cookies.ts';
import type { Member, SpecialAccounts } from './member.ts';
import { originOf } from './origins.ts';
import { checkSessionToken, type SessionClaims, type TokenRules } from './session-token.ts';

const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+) *$/i;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const SEEN_LIMIT = 100_000;

/** How long a member who existed is assumed to exist, and so how long a deleted one may go on, in every process. */
const SEEN_FOR_MS = 10_000;

interface SessionCheckOptions {
  rules: TokenRules;
  /** Origins from which a cookie may carry a write. */
  origins: ReadonlySet<string>;
  /** Names the cookie's suffixed form, which the provider's library prefers. */
  publishableKey?: string | undefined;
  accounts: SpecialAccounts;
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
  const seen = new Map<string, number>();
  const { clock = () => performance.now() } = options;
  const cookieNames = namesOf(options.publishableKey);

  return async (request, { gate = true } = {}) => {
    const claims = await claimsOf(request, options, cookieNames);
    const member: Member = {
      idpId: claims.sub,
      sessionId: claims.sid,
      isDemoAccount: claims.sub === options.accounts.demoAccountId,
      isSampleUser: claims.sub === options.accounts.sampleUserId,
    };
    if (!((seen.get(member.idpId) ?? 0) > clock())) {
      if (!(await options.ensureMember(member.idpId))) throw new Failure('UNAUTHENTICATED');
      if (seen.size >= SEEN_LIMIT) seen.clear();
      seen.set(member.idpId, clock() + SEEN_FOR_MS);
    }
    if (gate && options.sessionGate && !(await options.sessionGate(member))) throw new Failure('UNAUTHENTICATED');
    return member;
  };
}

async function claimsOf(
  request: FastifyRequest,
  { rules, origins }: SessionCheckOptions,
  cookieNames: readonly string[],
): Promise<SessionClaims> {
  const { authorization, cookie } = request.headers;
  const carried = cookieNames.map((name) => readCookie(cookie, name)).find((value) => value !== undefined);
  if (authorization !== undefined) {
    const bearer = BEARER.exec(authorization)?.[1];
    if (bearer === undefined) throw new Failure('UNAUTHENTICATED');
    const claims = await verified(bearer, rules);
    // A cookie that is stale or another site's is ignored; a valid one of another session means confusion.
    const other = carried === undefined ? undefined : await checkSessionToken(carried, rules);
    if (other?.ok && (other.claims.sub !== claims.sub || other.claims.sid !== claims.sid))
      throw new Failure('UNAUTHENTICATED');
    return claims;
  }
  if (carried === undefined) throw new Failure('UNAUTHENTICATED');
  const claims = await verified(carried, rules);
  if (!SAFE_METHODS.has(request.method) && originOf(request.headers, origins) !== 'same')
    throw new Failure('CROSS_ORIGIN');
  return claims;
}

async function verified(token: string, rules: TokenRules): Promise<SessionClaims> {
  const check = await checkSessionToken(token, rules);
  if (check.ok) return check.claims;
  if (check.reason === 'unavailable') throw new Failure('UNAVAILABLE', { retryAfter: 5 });
  throw new Failure('UNAUTHENTICATED');
}

/** `__session` and, first, its form with the suffix that the provider's library derives from the publishable key. */
function namesOf(publishableKey: string | undefined): string[] {
  if (!publishableKey) return ['__session'];
  const digest = createHash('sha1').update(publishableKey).digest('base64');
  const suffix = digest.replaceAll('+', '-').replaceAll('/', '_').slice(0, 8);
  return [`__session_${suffix}`, '__session'];
}
