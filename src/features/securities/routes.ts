import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { isDemoTour } from '../../platform/http/demo-tour.ts';
import { route } from '../../platform/http/route.ts';
import { type MemberAccess, PRIVATE_CACHE_CONTROL } from '../../platform/identity/member-access.ts';
import { NO_BOND_FEED_MESSAGE } from '../../market-data/services/catalog/register-symbol.ts';
import { routes } from './contract.ts';
import { getSecurity, type SecurityDependencies, type SecurityResult } from './get-security.ts';

export interface SecurityRouteDependencies extends SecurityDependencies, MemberAccess {}

const RETRY_AFTER_SECONDS = 5;

/** Adds `GET /api/securities/{symbol}`. */
export function addSecurityRoute(app: HttpApp, deps: SecurityRouteDependencies): void {
  const { guards, asMember, market, logger } = deps;
  route(app, routes.getSecurity, { guard: guards.member }, async (request, reply) => {
    const member = guards.getMember(request);
    const context = { deps, member, sql: asMember(member), demoTour: isDemoTour(request) };
    const result = await getSecurity(context, request.params.symbol);
    if (!result.ok) throw toSecurityError(result);
    const { symbol } = result.security;
    if (result.needsBackfill)
      market
        .requestBackfill(symbol)
        .catch((err: unknown) => logger.warn({ err, symbol }, 'failed to request price and history of a security'));
    reply.headers(PRIVATE_CACHE_CONTROL);
    return result.security;
  });
}

/** Converts a failed read to the API error. */
function toSecurityError(result: Exclude<SecurityResult, { ok: true }>): AppError {
  switch (result.reason) {
    case 'unknown':
      return new AppError('UNKNOWN_SYMBOL');
    case 'unsupported':
      return new AppError('UNSUPPORTED_ASSET', result.detail && { message: NO_BOND_FEED_MESSAGE });
    case 'tier_unavailable':
      return new AppError('TIER_UNAVAILABLE', { retryAfter: RETRY_AFTER_SECONDS });
    case 'rate_limited':
      return new AppError('RATE_LIMITED', { retryAfter: result.retryAfter });
    case 'unavailable':
      return new AppError('UNAVAILABLE', {
        retryAfter: result.retryAfter ?? RETRY_AFTER_SECONDS,
        message: 'The symbol cannot be looked up right now; try again shortly.',
      });
  }
}
