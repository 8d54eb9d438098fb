import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { isDemoTour } from '../../platform/http/demo-tour.ts';
import { route } from '../../platform/http/route.ts';
import { type MemberAccess, PRIVATE_CACHE_CONTROL } from '../../platform/identity/member-access.ts';
import { toLookupError } from '../../market-data/services/catalog/lookup-errors.ts';
import { routes } from './contract.ts';
import { getSecurity, type SecurityDependencies } from './get-security.ts';

export interface SecurityRouteDependencies extends SecurityDependencies, MemberAccess {}

const RETRY_AFTER_SECONDS = 5;

/** Adds `GET /api/securities/{symbol}`. */
export function addSecurityRoute(app: HttpApp, deps: SecurityRouteDependencies): void {
  const { guards, asMember, market, logger } = deps;
  route(app, routes.getSecurity, { guard: guards.member }, async (request, reply) => {
    const member = guards.getMember(request);
    const context = { deps, member, sql: asMember(member), demoTour: isDemoTour(request) };
    const result = await getSecurity(context, request.params.symbol);
    if (!result.ok)
      throw result.reason === 'tier_unavailable'
        ? new AppError('TIER_UNAVAILABLE', { retryAfter: RETRY_AFTER_SECONDS })
        : toLookupError(result);
    const { symbol } = result.security;
    if (result.needsBackfill)
      market
        .requestBackfill(symbol)
        .catch((err: unknown) => logger.warn({ err, symbol }, 'failed to request price and history of a security'));
    reply.headers(PRIVATE_CACHE_CONTROL);
    return result.security;
  });
}
