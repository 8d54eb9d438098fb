import type { FastifyRequest } from 'fastify';
import { Failure, type FailureCode } from '../../errors.ts';
import { isDemoTour } from '../http/demo-tour.ts';
import type { Guard } from '../http/app-type.ts';
import type { Member } from './member.ts';
import type { RequireMember } from './session-check.ts';

/** Whom an editor's guard may turn away, though signed in. */
export type Refused = 'demo-account' | 'demo-tour' | 'sample-user';

/** The guards of signed-in people, and the member that one of them let through. Operators have `operatorGuard`. */
export interface Guards {
  /** Any signed-in member. */
  readonly member: Guard;
  /** Any signed-in member, also one whose session the session gate refuses. */
  readonly ungated: Guard;
  /** A member who is none of `refuses`: 403 `DEMO_ACCOUNT` for the shared demo account, else 403 `DEMO_MODE`. */
  editor(options: { refuses: readonly Refused[] }): Guard;
  /** The member whom the route's guard let through. Throws for a route whose guard asks for none. */
  memberOf(request: FastifyRequest): Member;
  /**
   * Asks the provider whether the session of the member let through has ended; 401 then. A handler calls it before it
   * makes a credential: the session token outlives the session, and the body may arrive long after the guard.
   */
  requireActiveSession(request: FastifyRequest): Promise<void>;
  /** The check of the session alone, for questions outside a route's guard. */
  readonly requireMember: RequireMember;
}

const REFUSALS: Record<Refused, { code: FailureCode; holds(member: Member, request: FastifyRequest): boolean }> = {
  'demo-account': { code: 'DEMO_ACCOUNT', holds: ({ isDemoAccount }) => isDemoAccount },
  'demo-tour': { code: 'DEMO_MODE', holds: (_member, request) => isDemoTour(request) },
  'sample-user': { code: 'DEMO_MODE', holds: ({ isSampleUser }) => isSampleUser },
};

/**
 * Makes the guards on a check of the session, which answers with the member or throws a `Failure`. `isActive` asks
 * whether a session has not ended, and throws a `Failure` where nobody answers.
 */
export function createGuards(
  requireMember: RequireMember,
  isActive: (sessionId: string) => Promise<boolean> = async () => true,
): Guards {
  const admitted = new WeakMap<FastifyRequest, Member>();
  const admit = async (request: FastifyRequest, refuses: readonly Refused[]): Promise<Member> => {
    // The check remembers its answer for a request; with options it is made anew, for a body that came late.
    const member = await (admitted.has(request) ? requireMember(request, { gate: true }) : requireMember(request));
    for (const name of refuses) if (REFUSALS[name].holds(member, request)) throw new Failure(REFUSALS[name].code);
    admitted.set(request, member);
    return member;
  };
  const memberOf = (request: FastifyRequest): Member => {
    const member = admitted.get(request);
    if (!member) throw new Error('This route declares no guard that asks for a member.');
    return member;
  };
  return {
    requireMember,
    member: { says: 'member', check: async (request) => void (await admit(request, [])) },
    ungated: {
      says: 'member, without the session gate',
      check: async (request) => void admitted.set(request, await requireMember(request, { gate: false })),
    },
    editor: ({ refuses }) => ({
      says: `editor, not ${refuses.join(', ')}`,
      check: async (request) => void (await admit(request, refuses)),
    }),
    memberOf,
    async requireActiveSession(request) {
      if (!(await isActive(memberOf(request).sessionId))) throw new Failure('UNAUTHENTICATED');
    },
  };
}
