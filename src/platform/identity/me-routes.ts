import type { Database } from '../database/connect.ts';
import type { HttpApp } from '../http/app-type.ts';
import { type PublicSettings, routes as serviceRoutes } from '../http/contract.ts';
import { publicGuard } from '../http/guard.ts';
import { route } from '../http/route.ts';
import { routes } from './contract.ts';
import { readEmail } from './queries.ts';
import type { Guards } from './guards.ts';

/** `GET /api/config`: where the web app finds the identity provider. `GET /api/me`: who is signed in. */
export function addIdentityRoutes(
  app: HttpApp,
  { database, guards, settings }: { database: Database; guards: Guards; settings: () => Promise<PublicSettings> },
): void {
  const guard = publicGuard('a browser must know it before it can sign in');
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
