import { Failure } from '../errors.ts';
import type { Guard, HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import { idFrom } from '../identity/member-access.ts';
import type { By } from './audit.ts';
import { routes } from './contract.ts';
import { createInvitation, type CreateContext } from './create-invitation.ts';
import { listCandidates } from './list-candidates.ts';
import { listInvitations } from './list-invitations.ts';
import { revokeInvitation } from './revoke-invitation.ts';

interface OperatorRouteDependencies extends CreateContext {
  operator: Guard;
}

const UNKNOWN = 'There is no invitation with this id.';
const byOperator = (request: { id: string }): By => ({ actor: 'operator', requestId: request.id });

/** `/api/internal/demo-access`: what operators do with links. */
export function addOperatorRoutes(app: HttpApp, deps: OperatorRouteDependencies): void {
  const { operator: guard } = deps;

  route(app, routes.createDemoInvitation, { guard }, async (request, reply) => {
    const created = await createInvitation(deps, request.body.label, byOperator(request));
    if (created.ok) {
      const { id, label, link, expiresAt } = created;
      reply.code(201).header('cache-control', 'no-store');
      return { id, label, link, expires_at: expiresAt.toISOString() };
    }
    switch (created.reason) {
      case 'not_configured':
        throw new Failure('NOT_CONFIGURED');
      case 'not_ready':
        throw new Failure('DEMO_ACCOUNT_NOT_READY', { message: created.message });
      case 'refused':
        throw new Failure('ACCOUNT_MISMATCH');
      case 'unavailable': {
        const { retryAfter, cause } = created;
        throw new Failure('UNAVAILABLE', { retryAfter, ...(cause && { cause }) });
      }
    }
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
    if (found.ok) {
      reply.header('cache-control', 'no-store');
      const sessions = found.sessions.map(({ id, user_id, created_at, last_active_at }) => ({
        idp_user_id: user_id,
        session_id: id,
        created_at: new Date(created_at).toISOString(),
        last_active_at: new Date(last_active_at).toISOString(),
      }));
      return { sessions };
    }
    switch (found.reason) {
      case 'not_configured':
        throw new Failure('NOT_CONFIGURED');
      case 'unavailable':
        throw new Failure('UNAVAILABLE', { retryAfter: found.retryAfter });
    }
  });

  route(app, routes.revokeDemoInvitation, { guard }, async (request, reply) => {
    const id = idFrom(request.params, UNKNOWN);
    const revoked = await revokeInvitation(deps, id, byOperator(request));
    if (revoked.ok) {
      reply.header('cache-control', 'no-store');
      return { id, status: 'revoked' as const };
    }
    switch (revoked.reason) {
      case 'not_configured':
        throw new Failure('NOT_CONFIGURED');
      case 'not_found':
        throw new Failure('NOT_FOUND', { message: UNKNOWN });
      case 'mismatch':
        throw new Failure('ACCOUNT_MISMATCH');
      case 'unconfirmed':
        throw new Failure('REVOCATION_UNCONFIRMED', { retryAfter: revoked.retryAfter });
    }
  });
}
