import { AppError } from '../../errors.ts';
import type { Guard, HttpApp } from '../../platform/http/app-type.ts';
import { toRateLimitAddress } from '../../platform/http/rate-limit-address.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import { route } from '../../platform/http/route.ts';
import type { Slice } from '../../slice.ts';
import { routes } from './contract.ts';
import { openSamplePortfolio, type SamplePortfolioDependencies } from './open-sample-portfolio.ts';

interface SiteDependencies extends SamplePortfolioDependencies {
  /** Maximum sign-ins to the sample portfolio per minute from one address. */
  requestsPerMinute: number;
  /** Creates the limiter (default: limits of this process). */
  createLimiter?: SharedRateLimits['createLimiter'];
}

/** Creates the slice of what visitors open without an account. */
export function createSite(deps: SiteDependencies) {
  const { createLimiter = createRateLimiter, requestsPerMinute: limit } = deps;
  const limiter = createLimiter({ name: 'sample-portfolio', limit });
  const guard: Guard = {
    description: 'open: visitors see the sample portfolio before they have an account',
    async check(request) {
      const result = await limiter.consume(toRateLimitAddress(request));
      if (!result.ok) throw new AppError('RATE_LIMITED', { retryAfter: result.retryAfter });
    },
  };
  return {
    name: 'site',
    async register(app: HttpApp): Promise<void> {
      route(app, routes.openSamplePortfolio, { guard, bodyLimit: 1_024 }, async (_request, reply) => {
        const opened = await openSamplePortfolio(deps);
        if (!opened.ok)
          throw opened.reason === 'unavailable'
            ? new AppError('UNAVAILABLE', { retryAfter: opened.retryAfter })
            : new AppError('NOT_FOUND');
        reply.code(201).header('cache-control', 'no-store');
        return { ticket: opened.ticket };
      });
    },
  } satisfies Slice;
}
