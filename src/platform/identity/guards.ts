import type { FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../../errors.ts';
import { isDemoTour } from '../http/demo-tour.ts';
import type { Guard } from '../http/app-type.ts';
import type { Member } from './member.ts';
import type { RequireMember } from './session-check.ts';

/** Whom an editor's guard may turn away, though signed in. */
export type RejectionRule = 'demo-account' | 'demo-tour' | 'sample-user';

/** The guards of signed-in people, and the member that one of them let through. Operators have `createOperatorGuard`. */
export interface Guards {
  /** Any signed-in member. */
  readonly member: Guard;
  /** Any signed-in member, also one whose session the session gate refuses. */
  readonly memberWithoutSessionGate: Guard;
  /** A member who is none of `refuses`: 403 `DEMO_ACCOUNT` for the shared demo account, else 403 `DEMO_MODE`. */
  editor(options: { rejects: readonly RejectionRule[] }): Guard;
  /** The member whom the route's guard let through. Throws for a route whose guard asks for none. */
  getMember(request: FastifyRequest): Member;
  /**
   * Asks the provider whether the session of the member let through has ended; 401 then. A handler calls it before it
   * makes a credential: the session token outlives the session, and the body may arrive long after the guard.
   */
  requireActiveSession(request: FastifyRequest): Promise<void>;
  /** The check of the session alone, for questions outside a route's guard. */
  readonly requireMember: RequireMember;
}

const REJECTION_RULES: Record<
  RejectionRule,
  { code: ErrorCode; appliesTo(member: Member, request: FastifyRequest): boolean }
> = {
  'demo-account': { code: 'DEMO_ACCOUNT', appliesTo: ({ isDemoAccount }) => isDemoAccount },
  'demo-tour': { code: 'DEMO_MODE', appliesTo: (_member, request) => isDemoTour(request) },
  'sample-user': { code: 'DEMO_MODE', appliesTo: ({ isSampleUser }) => isSampleUser },
};

/**
 * Makes the guards on a check of the session, which answers with the member or throws a `Failure`. `isSessionActive` asks
 * whether a session has not ended, and throws a `Failure` where nobody answers.
 */
export function createGuards(
  requireMember: RequireMember,
  isSessionActive: (sessionId: string) => Promise<boolean> = async () => true,
): Guards {
  const memberByRequest = new WeakMap<FastifyRequest, Member>();
  const authorize = async (request: FastifyRequest, rejects: readonly RejectionRule[]): Promise<Member> => {
    // The check remembers its answer for a request; with options it is made anew, for a body that came late.
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
    if (!member) throw new Error('This route declares no guard that asks for a member.');
    return member;
  };
  return {
    requireMember,
    member: { description: 'member', check: async (request) => void (await authorize(request, [])) },
    memberWithoutSessionGate: {
      description: 'member, without the session gate',
      check: async (request) => void memberByRequest.set(request, await requireMember(request, { gate: false })),
    },
    editor: ({ rejects }) => ({
      description: `editor, not ${rejects.join(', ')}`,
      check: async (request) => void (await authorize(request, rejects)),
    }),
    getMember,
    async requireActiveSession(request) {
      if (!(await isSessionActive(getMember(request).sessionId))) throw new AppError('UNAUTHENTICATED');
    },
  };
}
