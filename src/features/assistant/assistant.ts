import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { memberAccess } from '../../platform/identity/member-access.ts';
import { allowedOrigins } from '../../platform/identity/origins.ts';
import type { Slice } from '../../slice.ts';
import { createLiveAnswers } from './answers/live-answers.ts';
import { addAnswerRoutes } from './answers/routes.ts';
import { type DailyLimits, deleteAssistantOf, deleteExpired } from './conversations/queries.ts';
import { memberRows } from './export-queries.ts';
import { addMcpRoute } from './mcp/mcp-route.ts';
import { deleteTokensOf } from './mcp/queries.ts';
import { createTokenGuard } from './mcp/token-guard.ts';
import { addTokenRoutes } from './mcp/token-routes.ts';
import { connectModel, type ModelBody, type ModelSettings } from './model/connect-model.ts';
import { addAssistantRoutes } from './routes.ts';
import { limitStatementTime } from './sql/sql-budget.ts';
import { bindTools, type FactSources } from './tools/tool-context.ts';

interface AssistantDependencies {
  database: Database;
  logger: Logger;
  guards: Guards;
  /** Where people reach the service. */
  baseUrl: string;
  limiterOf: SharedLimits['limiter'];
  facts: Omit<FactSources, 'database'>;
  /** Tokens of a request, by our own counter. */
  count: (body: ModelBody) => number;
  /** Without a key there are plain reports alone. */
  model: Omit<ModelSettings, 'apiKey'> & { apiKey: string | undefined };
  limits: DailyLimits;
}

const TIDY = 'tidy-assistant';

/** Seconds of statement time that a member's own SQL has in any minute. */
const SQL_SECONDS = 10;

/** Wires the slice: the member's data as tools, the model that answers by them, plain reports, MCP. */
export function createAssistant(deps: AssistantDependencies) {
  const { database, logger, guards, baseUrl, limiterOf, facts, count, model, limits } = deps;
  const readOnly = database.readOnly && limitStatementTime(database.readOnly, SQL_SECONDS, limiterOf);
  const toolsOf = bindTools({ database: { readOnly }, ...facts });
  const live = createLiveAnswers((err) => logger.error({ err }, 'an answer failed'));
  const { apiKey } = model;
  const connected = apiKey === undefined ? undefined : connectModel({ ...model, apiKey });
  const sql = database.service;
  return {
    name: 'assistant',
    memberRows,
    register(app: HttpApp): void {
      addAssistantRoutes(app, { guards, toolsOf, hasModel: connected !== undefined });
      const now = facts.now ?? (() => new Date());
      addAnswerRoutes(app, { guards, database, logger, model: connected, count, limits, live, toolsOf, now });
      addTokenRoutes(app, memberAccess(database, guards), `${baseUrl.replace(/\/$/, '')}/mcp`);
      addMcpRoute(app, {
        access: createTokenGuard({ sql, limiterOf, origins: allowedOrigins(baseUrl) }),
        // The sample user and the demo account are refused tokens.
        contextOf: ({ id, idp_id: idpId }) => toolsOf({ idpId, sessionId: `mcp ${id}`, isSampleUser: false }),
      });
    },
    tasks: { [TIDY]: () => deleteExpired(sql) },
    // Conversations past their 30 days go at night; until then no route shows them.
    schedules: [{ task: TIDY, match: '23 3 * * *', backfillMinutes: 600 }],
    // Before HTTP closes: a stream that goes on would hold it up.
    startBackground: () => () => live.close(),
    async onUserDeleted(transaction, idpId) {
      await deleteAssistantOf(transaction, idpId);
      await deleteTokensOf(transaction, idpId);
    },
    close: () => live.close(),
  } satisfies Slice;
}
