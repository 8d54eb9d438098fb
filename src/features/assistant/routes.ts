import { AppError, type ErrorCode } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { isDemoTour } from '../../platform/http/demo-tour.ts';
import { reportKind, routes } from './contract.ts';
import { MODEL_HINT, writeReport } from './reports/reports.ts';
import { runSql, type SqlResult } from './sql/run-sql.ts';
import type { createToolContextFactory } from './tools/tool-context.ts';

interface AssistantRouteDependencies {
  guards: Guards;
  /** Creates the tools' data access for a member. */
  getToolContext: ReturnType<typeof createToolContextFactory>;
  hasModel: boolean;
}

const errorCodeByReason: Record<Extract<SqlResult, { ok: false }>['reason'], ErrorCode> = {
  rejected: 'SQL_REFUSED',
  too_expensive: 'SQL_TOO_EXPENSIVE',
  timed_out: 'SQL_TIMED_OUT',
};

/** Adds the routes of the member's own SQL and of the plain reports. */
export function addAssistantRoutes(
  app: HttpApp,
  { guards, getToolContext, hasModel }: AssistantRouteDependencies,
): void {
  route(app, routes.runSql, { guard: guards.member }, async (request, reply) => {
    const { member, readOnly, isWatchlistOn } = getToolContext(guards.getMember(request));
    if (!readOnly) throw new AppError('NOT_CONFIGURED');
    const result = await runSql({ database: readOnly, isWatchlistOn }, member.idpId, request.body.sql);
    if (!result.ok) throw new AppError(errorCodeByReason[result.reason], { message: result.message });
    reply.header('cache-control', 'no-store');
    const { columns, rows, truncated } = result;
    return { columns, rows, truncated };
  });

  route(app, routes.getReport, { guard: guards.member }, async (request, reply) => {
    const kind = reportKind.safeParse(request.params.kind);
    if (!kind.success) throw new AppError('NOT_FOUND', { message: 'There is no such report.' });
    const context = getToolContext(guards.getMember(request), { demoTour: isDemoTour(request) });
    const result = await writeReport(context, kind.data, request.query);
    if (!result.ok && result.reason === 'needs_symbol')
      throw new AppError('INVALID_REQUEST', { issues: [{ path: 'symbol', message: 'Name the ticker.' }] });
    if (!result.ok) throw new AppError('NOT_FOUND', { message: result.message });
    reply.header('cache-control', 'no-store');
    return { ...result.report, with_model: hasModel ? null : MODEL_HINT };
  });
}
