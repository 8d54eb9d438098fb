import type { Database } from '../database/connect.ts';
import type { HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import { routes } from './contract.ts';
import { readOwnEmail } from './queries.ts';
import type { RequireMember } from './session-check.ts';

/** `GET /api/me`: who is signed in. */
export function addMeRoute(app: HttpApp, deps: { database: Database; requireMember: RequireMember }): void {
  route(app, routes.getMe, async (request, reply) => {
    const member = await deps.requireMember(request);
    reply.header('cache-control', 'no-store');
    return {
      idp_user_id: member.idpId,
      email: await readOwnEmail(deps.database.asMember({ sub: member.idpId, sid: member.sessionId })),
      is_demo_account: member.isDemoAccount,
      is_sample_user: member.isSampleUser,
    };
  });
}
