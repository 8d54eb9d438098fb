import type { FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { ServiceSql } from '../database/roles.ts';
import { isDemoTour } from '../http/demo-tour.ts';
import type { Guard, RouteLimit } from '../http/app-type.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Member } from './member.ts';
import type { RequireMember } from './session-check.ts';

/** Signed-in accounts that an editor's guard may reject. */
export type RejectionRule = 'demo-account' | 'demo-tour' | 'sample-user' | 'shared-account';

/** The guards of signed-in members, and the member that a guard accepted. Operators use `createOperatorGuard`. */
export interface Guards {
  /** Accepts any signed-in member. */
  readonly member: Guard;
  /** Accepts any signed-in member, even if the session gate rejects the session. */
  readonly memberWithoutSessionGate: Guard;
  /**
   * Accepts a member that matches no rule of `rejects`. Throws 403 `DEMO_ACCOUNT` for the shared demo account and by the
   * rule `shared-account`, else 403 `DEMO_MODE`. `recent` also requires a sign-in or reverification within ten minutes,
   * for what outlives the session, else 403 `SESSION_REVERIFICATION_REQUIRED`.
   */
  editor(options: { rejects: readonly RejectionRule[]; recent?: boolean }): Guard;
  /** Returns the member that the route's guard accepted. Throws for a route without a member guard. */
  getMember(request: FastifyRequest): Member;
  /**
   * Throws 401 if the provider reports that the session of the accepted member has ended. A handler calls it before it
   * creates a credential. The session token outlives the session, and the body may arrive long after the guard.
   */
  requireActiveSession(request: FastifyRequest): Promise<void>;
  /**
   * Locks the credentials of the accepted member until the transaction ends, and throws 401 if the session has ended. The
   * transaction that creates a credential calls it first, so that an event that ends the session comes before or after.
   */
  lockActiveSession(sql: ServiceSql, request: FastifyRequest): Promise<void>;
  /** The session check, for uses outside a route's guard. */
  readonly requireMember: RequireMember;
}

const REJECTION_RULES: Record<
  RejectionRule,
  { code: ErrorCode; appliesTo(member: Member, request: FastifyRequest): boolean }
> = {
  'demo-account': { code: 'DEMO_ACCOUNT', appliesTo: ({ isDemoAccount }) => isDemoAccount },
  'demo-tour': { code: 'DEMO_MODE', appliesTo: (_member, request) => isDemoTour(request) },
  // What only members do for themselves is closed to both accounts with one code.
  'shared-account': {
    code: 'DEMO_ACCOUNT',
    appliesTo: ({ isDemoAccount, isSampleUser }) => isDemoAccount || isSampleUser,
  },
  'sample-user': { code: 'DEMO_MODE', appliesTo: ({ isSampleUser }) => isSampleUser },
};

/** Time in seconds after a sign-in or reverification in which a member may create what outlives the session. */
const RECENT_SECONDS = 600;

const isRecent = (verifiedAt: number | null): boolean =>
  verifiedAt !== null && Date.now() / 1000 - verifiedAt < RECENT_SECONDS;

/** Whether sessions have ended, of which a session token says nothing. */
interface SessionStates {
  /** Returns whether a session is active. Throws an `AppError` if the provider is unavailable. */
  isActive(sessionId: string): Promise<boolean>;
  lockSession: IdentityProvider['lockSession'];
}

const ALWAYS_ACTIVE: SessionStates = { isActive: async () => true, lockSession: async () => true };

/**
 * Creates the guards from a session check that returns the member or throws an `AppError`. Without `sessions` none ends.
 * `limit` is the limit that the session check enforces.
 */
export function createGuards(
  requireMember: RequireMember,
  sessions: SessionStates = ALWAYS_ACTIVE,
  limit?: RouteLimit,
): Guards {
  const memberByRequest = new WeakMap<FastifyRequest, Member>();
  const authorize = async (request: FastifyRequest, rejects: readonly RejectionRule[]): Promise<Member> => {
    // The result of the check is cached for a request. With options it runs again, for a body that arrived late.
    const member = await (memberByRequest.has(request)
      ? requireMember(request, { gate: true })
      : requireMember(request));
    for (const rule of rejects)
      if (REJECTION_RULES[rule].appliesTo(member, request)) throw new AppError(REJECTION_RULES[rule].code);
    memberByRequest.set(request, member);
    return member;
  };
  const getMember = (request: FastifyRequest): Member => {
    const member = memberByRequest.get(request);
    if (!member) throw new Error('This route has no member guard.');
    return member;
  };
  return {
    requireMember,
    member: {
      description: 'member',
      limit,
      async check(request) {
        await authorize(request, []);
      },
    },
    memberWithoutSessionGate: {
      description: 'member, without the session gate',
      limit,
      async check(request) {
        memberByRequest.set(request, await requireMember(request, { gate: false }));
      },
    },
    editor: ({ rejects, recent = false }) => ({
      description: `editor, not ${rejects.join(', ')}${recent ? '; recent sign-in' : ''}`,
      limit,
      async check(request) {
        const { verifiedAt } = await authorize(request, rejects);
        if (recent && !isRecent(verifiedAt)) throw new AppError('SESSION_REVERIFICATION_REQUIRED');
      },
    }),
    getMember,
    async requireActiveSession(request) {
      if (!(await sessions.isActive(getMember(request).sessionId))) throw new AppError('UNAUTHENTICATED');
    },
    async lockActiveSession(sql, request) {
      if (!(await sessions.lockSession(sql, getMember(request)))) throw new AppError('UNAUTHENTICATED');
    },
  };
}
