import type { ServiceSql } from '../database/roles.ts';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import type { Guards } from '../identity/guards.ts';
import { routes } from './contract.ts';
import type { TierLookup } from './look-up-tier.ts';
import { selectPlans } from './queries.ts';

export interface BillingRouteDependencies {
  sql: ServiceSql;
  guards: Guards;
  tierOf: (idpId: string) => Promise<TierLookup>;
}

const TRY_AGAIN_SECONDS = 5;

/** `GET /api/plans`: what the plans allow, and which is the member's. */
export function addBillingRoutes(app: HttpApp, { sql, guards, tierOf }: BillingRouteDependencies): void {
  route(app, routes.listPlans, { guard: guards.member }, async (request, reply) => {
    const member = guards.memberOf(request);
    // One after the other: where the database is away, the tier is what says so.
    const current = await tierOf(member.idpId);
    if (!current.ok) throw new Failure('TIER_UNAVAILABLE', { retryAfter: TRY_AGAIN_SECONDS });
    reply.header('cache-control', 'private, no-cache');
    return { current: current.tier, plans: await selectPlans(sql) };
  });
}
