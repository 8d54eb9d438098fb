import { Failure, type FailureCode, type FailureDetails } from '../../errors.ts';
import type { Guard, HttpApp } from '../../platform/http/app-type.ts';
import { limitedAddress } from '../../platform/http/limited-address.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import { route } from '../../platform/http/route.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { idFrom } from '../../platform/identity/member-access.ts';
import type { By } from './audit.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { routes } from './contract.ts';
import { createInvitation, type CreateContext } from './create-invitation.ts';
import { listCandidates } from './list-candidates.ts';
import { listInvitations } from './list-invitations.ts';
import { revokeInvitation } from './revoke-invitation.ts';

interface DemoAccessRouteDependencies extends CreateContext {
  operator: Guard;
  guards: Guards;
  /** Counts the requests of an address that completes sign-ins. */
  limiter: RateLimiter;
}

/** What a revocation does not reach where the gate is not strict. */
const MAY_LIVE_ON =
  'The link may have been used without a recorded session. DEMO_ACCESS_STRICT is off, so such a session goes on: ' +
  'look for it with "tally demo-account candidates" and end it at the identity provider.';
const UNKNOWN = 'There is no invitation with this id.';
const byOperator = (request: { id: string }): By => ({ actor: 'operator', requestId: request.id });

/**
 * `/api/internal/demo-access`: what operators do with links; and `POST /api/demo-access/complete`, where a viewer's new
 * session asks to be bound.
 */
export function addDemoAccessRoutes(app: HttpApp, deps: DemoAccessRouteDependencies): void {
  const { operator: guard, guards } = deps;

  route(app, routes.createDemoInvitation, { guard }, async (request, reply) => {
    const created = await createInvitation(deps, request.body.label, byOperator(request));
    if (!created.ok) throw failureOf(created);
    const { id, label, link, expiresAt } = created;
    reply.code(201).header('cache-control', 'no-store');
    return { id, label, link, expires_at: expiresAt.toISOString() };
  });

  route(app, routes.listDemoInvitations, { guard }, async (request, reply) => {
    const page = await listInvitations(deps, request.query.cursor, byOperator(request));
    if (!page)
      throw new Failure('INVALID_REQUEST', { issues: [{ path: 'cursor', message: 'is no next_cursor of this list' }] });
    reply.header('cache-control', 'no-store');
    return page;
  });

  route(app, routes.listDemoSessionCandidates, { guard }, async (request, reply) => {
    const found = await listCandidates(deps, byOperator(request));
    if (!found.ok) throw failureOf(found);
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
    const id = idFrom(request.params, UNKNOWN);
    const revoked = await revokeInvitation(deps, id, byOperator(request));
    if (!revoked.ok) throw failureOf(revoked);
    reply.header('cache-control', 'no-store');
    return { id, status: 'revoked' as const, ...(revoked.mayLiveOn && { warning: MAY_LIVE_ON }) };
  });

  const viewer = { guard: limitPerAddress(guards.ungated, deps.limiter), bodyLimit: 16_384 };
  route(app, routes.completeDemoSignIn, viewer, async (request, reply) => {
    const { invitation_id: invitationId, ticket } = request.body;
    const by = { actor: 'viewer', requestId: request.id } as const;
    const completed = await completeSignIn(deps, guards.memberOf(request), { invitationId, ticket }, by);
    if (!completed.ok) throw failureOf(completed);
    reply.header('cache-control', 'no-store');
    return { redirect_to: '/dashboard' as const };
  });
}

/** The guard, behind a limit for the address that asks. */
function limitPerAddress(guard: Guard, limiter: RateLimiter): Guard {
  return {
    says: guard.says,
    async check(request) {
      const taken = await limiter.take(limitedAddress(request));
      if (!taken.ok) throw new Failure('RATE_LIMITED', { retryAfter: taken.retryAfter });
      await guard.check(request);
    },
  };
}

const OVER = { message: 'This sign-in is over; ask for a new link.' };

/** With which code each reason is answered, and what is said where the code's own sentence is not enough. */
const answers = {
  not_configured: ['NOT_CONFIGURED'],
  not_ready: ['DEMO_ACCOUNT_NOT_READY'],
  refused: ['ACCOUNT_MISMATCH'],
  mismatch: ['ACCOUNT_MISMATCH'],
  not_found: ['NOT_FOUND', { message: UNKNOWN }],
  unconfirmed: ['REVOCATION_UNCONFIRMED'],
  not_demo_account: ['NOT_DEMO_ACCOUNT'],
  invalid: ['INVALID_REQUEST', { message: 'This link is not valid; open it again from where it was sent.' }],
  revoked: ['LINK_REVOKED'],
  used: ['LINK_USED'],
  expired: ['LINK_EXPIRED'],
  not_theirs: ['UNAUTHENTICATED', OVER],
  session_over: ['UNAUTHENTICATED', OVER],
  not_stored: [
    'UNAVAILABLE',
    { message: 'The sign-in could not be recorded and was ended; ask for a new link.', retryAfter: 5 },
  ],
  unavailable: ['UNAVAILABLE'],
} as const satisfies Readonly<Record<string, readonly [FailureCode, FailureDetails?]>>;

type Refused = Pick<FailureDetails, 'message' | 'retryAfter' | 'cause'> & { ok: false; reason: keyof typeof answers };

function failureOf({ reason, message, retryAfter, cause }: Refused): Failure {
  const [code, details] = answers[reason];
  return new Failure(code, {
    ...details,
    ...(message !== undefined && { message }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(cause && { cause }),
  });
}
