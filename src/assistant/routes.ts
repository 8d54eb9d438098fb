import type { ReadOnly } from '../database/read-only.ts';
import { Failure, type FailureCode } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import type { Guards } from '../identity/guards.ts';
import type { Member } from '../identity/member.ts';
import { routes } from './contract.ts';
import { runSql, type SqlAnswer } from './sql/run-sql.ts';

export interface AssistantDependencies {
  guards: Guards;
  database: { readOnly: ReadOnly | undefined };
  /** Whether the watchlist's rollout is on for the member. */
  isWatchlistOn: (member: Member) => Promise<boolean>;
}

const failureOf: Record<Extract<SqlAnswer, { ok: false }>['reason'], FailureCode> = {
  refused: 'SQL_REFUSED',
  too_expensive: 'SQL_TOO_EXPENSIVE',
  timed_out: 'SQL_TIMED_OUT',
};

/** What the member's assistant is made of, for the member too. */
export function addAssistantRoutes(app: HttpApp, { guards, database, isWatchlistOn }: AssistantDependencies): void {
  route(app, routes.runSql, { guard: guards.member }, async (request, reply) => {
    if (!database.readOnly) throw new Failure('NOT_CONFIGURED');
    const member = guards.memberOf(request);
    const tool = { database: database.readOnly, isWatchlistOn: () => isWatchlistOn(member) };
    const answer = await runSql(tool, member.idpId, request.body.sql);
    if (!answer.ok) throw new Failure(failureOf[answer.reason], { message: answer.message });
    reply.header('cache-control', 'no-store');
    const { columns, rows, truncated } = answer;
    return { columns, rows, truncated };
  });
}
