import type { ServiceSql } from '../../platform/database/roles.ts';
import { Failure } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import { route } from '../../platform/http/route.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import { operatorGuard } from '../../platform/identity/operator-guard.ts';
import { revenueFile, type RevenueFile, type RevenueResponse, revenueRoutes } from './contract.ts';
import { readRevenue, revenueCsv } from './report-revenue.ts';
import { inSnapshot } from './revenue-queries.ts';

interface RevenueRouteDependencies {
  sql: ServiceSql;
  /** Opens the report; without it there is none. */
  revenueToken?: string | undefined;
  limiterOf?: SharedLimits['limiter'];
}

const CALLS_A_MINUTE = 20;

/** `/api/operator/revenue`: revenue for the holder of a token that opens nothing else; 404 where none is set. */
export function addRevenueRoutes(app: HttpApp, deps: RevenueRouteDependencies): void {
  const { sql, revenueToken: token, limiterOf = createRateLimiter } = deps;
  const limiter = limiterOf({ name: 'revenue-operator', limit: CALLS_A_MINUTE });
  const guard = operatorGuard({ name: 'REVENUE_OPERATOR_TOKEN', token, absent: 'NOT_FOUND', limiter });

  route(app, revenueRoutes.readRevenue, { guard }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { query } = request;
    return inSnapshot(sql, async (snapshot) => {
      const part = <Name extends RevenueFile>(name: Name) =>
        readRevenue(snapshot, name, query) as unknown as Promise<RevenueResponse[Name]>;
      return {
        ...{ source: await part('source'), bucket: await part('bucket'), tier: await part('tier') },
        ...{ mrr: await part('mrr'), funnel: await part('funnel'), cohorts: await part('cohorts') },
      };
    });
  });

  route(app, revenueRoutes.readRevenueFile, { guard }, async (request, reply) => {
    const name = revenueFile.safeParse(request.params.file.replace(/\.csv$/, ''));
    if (!name.success || !request.params.file.endsWith('.csv'))
      throw new Failure('NOT_FOUND', { message: `There is ${revenueFile.options.join('.csv, ')}.csv.` });
    const { from, to } = request.query;
    const named = ['revenue', name.data, from, to].filter(Boolean).join('-');
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${named}.csv"`)
      .type('text/csv; charset=utf-8')
      .code(200)
      .send(revenueCsv(await readRevenue(sql, name.data, request.query), name.data));
  });
}
