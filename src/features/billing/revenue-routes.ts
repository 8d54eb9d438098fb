import type { ServiceSql } from '../../platform/database/roles.ts';
import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import { route } from '../../platform/http/route.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import { createOperatorGuard } from '../../platform/identity/operator-guard.ts';
import { revenueFile, type RevenueFile, type RevenueResponse, revenueRoutes } from './contract.ts';
import { readRevenue, revenueCsv } from './report-revenue.ts';
import { inSnapshot } from './revenue-queries.ts';

interface RevenueRouteDependencies {
  sql: ServiceSql;
  /** Token that opens the report. Without a token the report is disabled. */
  revenueToken?: string | undefined;
  createLimiter?: SharedRateLimits['createLimiter'];
}

const MAX_CALLS_PER_MINUTE = 20;

/** Adds `/api/operator/revenue`, which requires a token that opens nothing else. Returns 404 if no token is set. */
export function addRevenueRoutes(app: HttpApp, deps: RevenueRouteDependencies): void {
  const { sql, revenueToken: token, createLimiter = createRateLimiter } = deps;
  const limiter = createLimiter({ name: 'revenue-operator', limit: MAX_CALLS_PER_MINUTE });
  const guard = createOperatorGuard({
    name: 'REVENUE_OPERATOR_TOKEN',
    token,
    missingSettingCode: 'NOT_FOUND',
    limiter,
  });

  route(app, revenueRoutes.readRevenue, { guard }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { query } = request;
    return inSnapshot(sql, async (snapshot) => {
      const readPart = <Name extends RevenueFile>(name: Name) =>
        readRevenue(snapshot, name, query) as unknown as Promise<RevenueResponse[Name]>;
      return {
        source: await readPart('source'),
        bucket: await readPart('bucket'),
        tier: await readPart('tier'),
        mrr: await readPart('mrr'),
        funnel: await readPart('funnel'),
        cohorts: await readPart('cohorts'),
      };
    });
  });

  route(app, revenueRoutes.readRevenueFile, { guard }, async (request, reply) => {
    const name = revenueFile.safeParse(request.params.file.replace(/\.csv$/, ''));
    if (!name.success || !request.params.file.endsWith('.csv'))
      throw new AppError('NOT_FOUND', { message: `There is ${revenueFile.options.join('.csv, ')}.csv.` });
    const { from, to } = request.query;
    const fileName = ['revenue', name.data, from, to].filter(Boolean).join('-');
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${fileName}.csv"`)
      .type('text/csv; charset=utf-8')
      .code(200)
      .send(revenueCsv(await readRevenue(sql, name.data, request.query), name.data));
  });
}
