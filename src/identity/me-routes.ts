import type { Database } from '../database/connect.ts';
import type { HttpApp } from '../http/app-type.ts';
import { memberRefusals } from '../http/failure-schemas.ts';
import { meResponse } from './contract.ts';
import { readOwnEmail } from './queries.ts';
import type { Guards } from './guards.ts';

/** `GET /api/me`: who is signed in. */
export function addMeRoute(app: HttpApp, deps: { database: Database; guards: Guards }): void {
  const options = {
    config: { guard: deps.guards.member },
    schema: { response: { 200: meResponse, ...memberRefusals } },
  };
  app.get('/api/me', options, async (request, reply) => {
    const member = deps.guards.memberOf(request);
    reply.header('cache-control', 'no-store');
    return {
      idp_user_id: member.idpId,
      email: await readOwnEmail(deps.database.asMember({ sub: member.idpId, sid: member.sessionId })),
      is_demo_account: member.isDemoAccount,
      is_sample_user: member.isSampleUser,
    };
  });
}
