import { Failure, type FailureCode } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { isDemoTour } from '../../platform/http/demo-tour.ts';
import { reportKind, routes } from './contract.ts';
import { MODEL_ADDS, writeReport } from './reports/reports.ts';
import { runSql, type SqlAnswer } from './sql/run-sql.ts';
import type { bindTools } from './tools/tool-context.ts';

interface AssistantRouteDependencies {
  guards: Guards;
  /** What the tools read with, in a member's name. */
  toolsOf: ReturnType<typeof bindTools>;
  hasModel: boolean;
}

const failureOf: Record<Extract<SqlAnswer, { ok: false }>['reason'], FailureCode> = {
  refused: 'SQL_REFUSED',
  too_expensive: 'SQL_TOO_EXPENSIVE',
  timed_out: 'SQL_TIMED_OUT',
};

/** What the member's assistant is made of, for the member too. */
export function addAssistantRoutes(app: HttpApp, { guards, toolsOf, hasModel }: AssistantRouteDependencies): void {
  route(app, routes.runSql, { guard: guards.member }, async (request, reply) => {
    const { member, readOnly, isWatchlistOn } = toolsOf(guards.memberOf(request));
    if (!readOnly) throw new Failure('NOT_CONFIGURED');
    const answer = await runSql({ database: readOnly, isWatchlistOn }, member.idpId, request.body.sql);
    if (!answer.ok) throw new Failure(failureOf[answer.reason], { message: answer.message });
    reply.header('cache-control', 'no-store');
    const { columns, rows, truncated } = answer;
    return { columns, rows, truncated };
  });

  route(app, routes.getReport, { guard: guards.member }, async (request, reply) => {
    const kind = reportKind.safeParse(request.params.kind);
    if (!kind.success) throw new Failure('NOT_FOUND', { message: 'There is no such report.' });
    const context = toolsOf(guards.memberOf(request), { demoTour: isDemoTour(request) });
    const written = await writeReport(context, kind.data, request.query);
    if (!written.ok && written.reason === 'needs_symbol')
      throw new Failure('INVALID_REQUEST', { issues: [{ path: 'symbol', message: 'Name the ticker.' }] });
    if (!written.ok) throw new Failure('NOT_FOUND', { message: written.message });
    reply.header('cache-control', 'no-store');
    return { ...written.report, with_model: hasModel ? null : MODEL_ADDS };
  });
}
