import type { Database } from '../database/connect.ts';
import type { HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import { routes } from './contract.ts';
import { readOwnEmail } from './queries.ts';
import type { Guards } from './guards.ts';

/** `GET /api/me`: who is signed in. */
export function addMeRoute(app: HttpApp, { database, guards }: { database: Database; guards: Guards }): void {
  route(app, routes.getMe, { guard: guards.member }, async (request, reply) => {
    const member = guards.memberOf(request);
    reply.header('cache-control', 'no-store');
    return {
      idp_user_id: member.idpId,
      email: await readOwnEmail(database.asMember({ sub: member.idpId, sid: member.sessionId })),
      is_demo_account: member.isDemoAccount,
      is_sample_user: member.isSampleUser,
    };
  });
}
