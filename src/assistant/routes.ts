import { Failure, type FailureCode } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import type { Guards } from '../identity/guards.ts';
import { OWN_READ } from '../identity/member-access.ts';
import { reportKind, type ReportKind, routes } from './contract.ts';
import { runSql, type SqlAnswer } from './sql/run-sql.ts';
import type { bindTools } from './tools/tool-context.ts';

interface AssistantRouteDependencies {
  guards: Guards;
  /** What the tools read with, in a member's name. */
  toolsOf: ReturnType<typeof bindTools>;
}

const failureOf: Record<Extract<SqlAnswer, { ok: false }>['reason'], FailureCode> = {
  refused: 'SQL_REFUSED',
  too_expensive: 'SQL_TOO_EXPENSIVE',
  timed_out: 'SQL_TIMED_OUT',
};

const titles: Record<ReportKind, { title: string; takes_symbol: boolean }> = {
  why_moving: { title: 'Why is it moving?', takes_symbol: true },
  whats_new: { title: 'What’s new?', takes_symbol: true },
  position: { title: 'My position', takes_symbol: true },
  list_today: { title: 'My list today', takes_symbol: false },
  reports_ahead: { title: 'Reports ahead', takes_symbol: false },
  net_worth_change: { title: 'Change of my net worth', takes_symbol: false },
};

/** What the member's assistant is made of, for the member too. */
export function addAssistantRoutes(app: HttpApp, { guards, toolsOf }: AssistantRouteDependencies): void {
  route(app, routes.runSql, { guard: guards.member }, async (request, reply) => {
    const { member, readOnly, isWatchlistOn } = toolsOf(guards.memberOf(request));
    if (!readOnly) throw new Failure('NOT_CONFIGURED');
    const answer = await runSql({ database: readOnly, isWatchlistOn }, member.idpId, request.body.sql);
    if (!answer.ok) throw new Failure(failureOf[answer.reason], { message: answer.message });
    reply.header('cache-control', 'no-store');
    const { columns, rows, truncated } = answer;
    return { columns, rows, truncated };
  });

  route(app, routes.getAssistant, { guard: guards.member }, async (_request, reply) => {
    reply.headers(OWN_READ);
    return {
      available: false,
      unavailable_because: 'not_configured' as const,
      model: null,
      used: { answers: 0, tokens: 0 },
      limit: { answers: 0, tokens: 0 },
      resets_at: new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString(),
      reports: reportKind.options.map((kind) => ({ kind, ...titles[kind] })),
      with_model: null,
    };
  });
  const writer = guards.editor({ refuses: ['demo-account', 'demo-tour', 'sample-user'] });
  const notYet = async (): Promise<never> => {
    throw new Failure('NOT_CONFIGURED');
  };
  route(app, routes.getReport, { guard: guards.member }, notYet);
  route(app, routes.ask, { guard: writer }, notYet);
  route(app, routes.listConversations, { guard: guards.member }, async () => ({ conversations: [] }));
  route(app, routes.getConversation, { guard: guards.member }, async () => {
    throw new Failure('NOT_FOUND');
  });
  route(app, routes.stopAnswer, { guard: writer }, notYet);
  route(app, routes.deleteConversation, { guard: writer }, notYet);
  route(app, routes.deleteConversations, { guard: writer }, notYet);
}
