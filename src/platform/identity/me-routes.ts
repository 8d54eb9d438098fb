import type { Database } from '../database/connect.ts';
import type { HttpApp } from '../http/app-type.ts';
import { type PublicSettings, routes as serviceRoutes } from '../http/contract.ts';
import { publicGuard } from '../http/guard.ts';
import { route } from '../http/route.ts';
import { routes } from './contract.ts';
import { readEmail } from './queries.ts';
import type { Guards } from './guards.ts';

/** Adds `GET /api/config`, the address of the identity provider, and `GET /api/me`, the signed-in member. */
export function addIdentityRoutes(
  app: HttpApp,
  { database, guards, settings }: { database: Database; guards: Guards; settings: () => Promise<PublicSettings> },
): void {
  const guard = publicGuard('a browser needs it before it can sign in');
  route(app, serviceRoutes.getPublicSettings, { guard }, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60');
    return settings();
  });
  route(app, routes.getMe, { guard: guards.member }, async (request, reply) => {
    const member = guards.getMember(request);
    reply.header('cache-control', 'no-store');
    return {
      idp_user_id: member.idpId,
      email: await readEmail(database.asMember({ sub: member.idpId, sid: member.sessionId })),
      is_demo_account: member.isDemoAccount,
      is_sample_user: member.isSampleUser,
    };
  });
}
