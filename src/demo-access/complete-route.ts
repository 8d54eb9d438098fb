import { Failure } from '../errors.ts';
import type { Guard, HttpApp } from '../http/app-type.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { route } from '../http/route.ts';
import type { Guards } from '../identity/guards.ts';
import { completeSignIn } from './complete-sign-in.ts';
import type { DemoAccessContext } from './context.ts';
import { routes } from './contract.ts';

interface CompleteRouteDependencies extends DemoAccessContext {
  guards: Guards;
  /** Counts the requests of an address. */
  limiter: RateLimiter;
}

/** `POST /api/demo-access/complete`: a viewer's new session asks to be bound. */
export function addCompleteRoute(app: HttpApp, deps: CompleteRouteDependencies): void {
  const { guards } = deps;
  const guard = limitPerAddress(guards.ungated, deps.limiter);

  route(app, routes.completeDemoSignIn, { guard, bodyLimit: 16_384 }, async (request, reply) => {
    const { invitation_id: invitationId, ticket } = request.body;
    const by = { actor: 'viewer', requestId: request.id } as const;
    const completed = await completeSignIn(deps, guards.memberOf(request), { invitationId, ticket }, by);
    if (completed.ok) {
      reply.header('cache-control', 'no-store');
      return { redirect_to: '/dashboard' as const };
    }
    switch (completed.reason) {
      case 'not_configured':
        throw new Failure('NOT_CONFIGURED');
      case 'not_demo_account':
        throw new Failure('NOT_DEMO_ACCOUNT');
      case 'invalid':
        throw new Failure('INVALID_REQUEST', {
          message: 'This link is not valid; open it again from where it was sent.',
        });
      case 'revoked':
        throw new Failure('LINK_REVOKED');
      case 'used':
        throw new Failure('LINK_USED');
      case 'expired':
        throw new Failure('LINK_EXPIRED');
      case 'not_theirs':
      case 'session_over':
        throw new Failure('UNAUTHENTICATED', { message: 'This sign-in is over; ask for a new link.' });
      case 'not_stored':
        throw new Failure('UNAVAILABLE', {
          message: 'The sign-in could not be recorded and was ended; ask for a new link.',
          retryAfter: 5,
        });
      case 'unavailable': {
        const { retryAfter, cause } = completed;
        throw new Failure('UNAVAILABLE', { retryAfter, ...(cause && { cause }) });
      }
    }
  });
}

/** The guard, behind a limit for the address that asks. */
function limitPerAddress(guard: Guard, limiter: RateLimiter): Guard {
  return {
    says: guard.says,
    async check(request) {
      const taken = await limiter.take(request.ip);
      if (!taken.ok) throw new Failure('RATE_LIMITED', { retryAfter: taken.retryAfter });
      await guard.check(request);
    },
  };
}
