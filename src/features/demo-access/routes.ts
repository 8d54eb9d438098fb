import { AppError, type ErrorCode, type ErrorDetails } from '../../errors.ts';
import type { Guard, HttpApp } from '../../platform/http/app-type.ts';
import { toRateLimitAddress } from '../../platform/http/rate-limit-address.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import { route } from '../../platform/http/route.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { parseIdParam } from '../../platform/identity/member-access.ts';
import type { AuditActor } from './audit.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { routes } from './contract.ts';
import { createInvitation, type CreateContext } from './create-invitation.ts';
import { listOrphanedSessions } from './list-orphaned-sessions.ts';
import { listInvitations } from './list-invitations.ts';
import { revokeInvitation } from './revoke-invitation.ts';

interface DemoAccessRouteDependencies extends CreateContext {
  operator: Guard;
  guards: Guards;
  /** Limits the requests per address that complete sign-ins. */
  limiter: RateLimiter;
}

/** Warning about sessions that a revocation does not end if the gate is not strict. */
const MAY_STAY_ACTIVE_WARNING =
  'The link may have been used without a recorded session. DEMO_ACCESS_STRICT is off, so such a session stays active: ' +
  'find it with "tally demo-account candidates" and end it at the identity provider.';
const UNKNOWN_INVITATION = 'There is no invitation with this id.';
const toOperatorActor = (request: { id: string }): AuditActor => ({ actor: 'operator', requestId: request.id });

/**
 * Adds the operator's routes under `/api/internal/demo-access`, and `POST /api/demo-access/complete`, which binds a
 * viewer's new session.
 */
export function addDemoAccessRoutes(app: HttpApp, deps: DemoAccessRouteDependencies): void {
  const { operator: guard, guards } = deps;

  route(app, routes.createDemoInvitation, { guard }, async (request, reply) => {
    const created = await createInvitation(deps, request.body.label, toOperatorActor(request));
    if (!created.ok) throw toAppError(created);
    const { id, label, link, expiresAt } = created;
    reply.code(201).header('cache-control', 'no-store');
    return { id, label, link, expires_at: expiresAt.toISOString() };
  });

  route(app, routes.listDemoInvitations, { guard }, async (request, reply) => {
    const page = await listInvitations(deps, request.query.cursor, toOperatorActor(request));
    if (!page)
      throw new AppError('INVALID_REQUEST', {
        issues: [{ path: 'cursor', message: 'is not a valid cursor' }],
      });
    reply.header('cache-control', 'no-store');
    return page;
  });

  route(app, routes.listDemoSessionCandidates, { guard }, async (request, reply) => {
    const found = await listOrphanedSessions(deps, toOperatorActor(request));
    if (!found.ok) throw toAppError(found);
    reply.header('cache-control', 'no-store');
    const sessions = found.sessions.map(({ id, user_id, created_at, last_active_at }) => ({
      idp_user_id: user_id,
      session_id: id,
      created_at: new Date(created_at).toISOString(),
      last_active_at: new Date(last_active_at).toISOString(),
    }));
    return { sessions };
  });

  route(app, routes.revokeDemoInvitation, { guard }, async (request, reply) => {
    const id = parseIdParam(request.params, UNKNOWN_INVITATION);
    const revoked = await revokeInvitation(deps, id, toOperatorActor(request));
    if (!revoked.ok) throw toAppError(revoked);
    reply.header('cache-control', 'no-store');
    return { id, status: 'revoked' as const, ...(revoked.mayStayActive && { warning: MAY_STAY_ACTIVE_WARNING }) };
  });

  const viewer = { guard: limitPerAddress(guards.memberWithoutSessionGate, deps.limiter), bodyLimit: 16_384 };
  route(app, routes.completeDemoSignIn, viewer, async (request, reply) => {
    const { invitation_id: invitationId, ticket } = request.body;
    const auditActor = { actor: 'viewer', requestId: request.id } as const;
    const completed = await completeSignIn(deps, guards.getMember(request), { invitationId, ticket }, auditActor);
    if (!completed.ok) throw toAppError(completed);
    reply.header('cache-control', 'no-store');
    return { redirect_to: '/dashboard' as const };
  });
}

/** Adds a limit per address to a guard. */
function limitPerAddress(guard: Guard, limiter: RateLimiter): Guard {
  return {
    description: guard.description,
    limit: { per: 'address', rates: [limiter.rate] },
    async check(request) {
      const limitResult = await limiter.consume(toRateLimitAddress(request));
      if (!limitResult.ok) throw new AppError('RATE_LIMITED', { retryAfter: limitResult.retryAfter });
      await guard.check(request);
    },
  };
}

const SIGN_IN_EXPIRED = { message: 'This sign-in has ended. Request a new link.' };

/** Error code for each reason, with a message if the code's own message is not specific enough. */
const errorByReason = {
  not_configured: ['NOT_CONFIGURED'],
  not_ready: ['DEMO_ACCOUNT_NOT_READY'],
  rejected: ['ACCOUNT_MISMATCH'],
  mismatch: ['ACCOUNT_MISMATCH'],
  not_found: ['NOT_FOUND', { message: UNKNOWN_INVITATION }],
  unconfirmed: ['REVOCATION_UNCONFIRMED'],
  not_demo_account: ['NOT_DEMO_ACCOUNT'],
  invalid: ['INVALID_REQUEST', { message: 'This link is not valid; open it again from where it was sent.' }],
  revoked: ['LINK_REVOKED'],
  used: ['LINK_USED'],
  expired: ['LINK_EXPIRED'],
  foreign_session: ['UNAUTHENTICATED', SIGN_IN_EXPIRED],
  session_over: ['UNAUTHENTICATED', SIGN_IN_EXPIRED],
  not_stored: [
    'UNAVAILABLE',
    { message: 'The sign-in could not be recorded and was ended. Request a new link.', retryAfter: 5 },
  ],
  unavailable: ['UNAVAILABLE'],
} as const satisfies Readonly<Record<string, readonly [ErrorCode, ErrorDetails?]>>;

type FailedResult = Pick<ErrorDetails, 'message' | 'retryAfter' | 'cause'> & {
  ok: false;
  reason: keyof typeof errorByReason;
};

function toAppError({ reason, message, retryAfter, cause }: FailedResult): AppError {
  const [code, details] = errorByReason[reason];
  return new AppError(code, {
    ...details,
    ...(message !== undefined && { message }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(cause && { cause }),
  });
}
