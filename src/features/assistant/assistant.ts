import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { listAllowedOrigins } from '../../platform/identity/origins.ts';
import type { Feature } from '../../feature.ts';
import { createAnswerRegistry } from './answers/answer-registry.ts';
import { addAnswerRoutes } from './answers/routes.ts';
import { type DailyLimits, deleteAssistantData, deleteExpired, readAssistantUse } from './conversations/queries.ts';
import { memberRows } from './export-queries.ts';
import { addMcpRoute } from './mcp/mcp-route.ts';
import { deleteMemberTokens } from './mcp/queries.ts';
import { createTokenGuard } from './mcp/token-guard.ts';
import { addTokenRoutes } from './mcp/token-routes.ts';
import { connectModel, type ModelBody, type ModelSettings } from './model/connect-model.ts';
import { addAssistantRoutes } from './routes.ts';
import { limitStatementTime } from './sql/sql-budget.ts';
import { createToolContextFactory, type MemberDataSources } from './tools/tool-context.ts';

interface AssistantDependencies {
  database: Database;
  logger: Logger;
  guards: Guards;
  /** Public URL of the service. */
  baseUrl: string;
  createLimiter: SharedRateLimits['createLimiter'];
  dataSources: Omit<MemberDataSources, 'database'>;
  /** Returns the tokens of a request, as counted by our own counter. */
  count: (body: ModelBody) => number;
  /** Without an API key only the plain reports are available. */
  model: Omit<ModelSettings, 'apiKey'> & { apiKey: string | undefined };
  limits: DailyLimits;
}

const CLEANUP_TASK = 'cleanup-assistant';

/** Seconds of statement time per minute for a member's own SQL. */
export const SQL_SECONDS_PER_MINUTE = 10;

/** Creates the feature: the member's data as tools, the answers of the model, the plain reports and MCP. */
export function createAssistant(deps: AssistantDependencies) {
  const { database, logger, guards, baseUrl, createLimiter, dataSources, count, model, limits } = deps;
  const readOnly = database.readOnly && limitStatementTime(database.readOnly, SQL_SECONDS_PER_MINUTE, createLimiter);
  const getToolContext = createToolContextFactory({ database: { readOnly }, ...dataSources });
  const answerRegistry = createAnswerRegistry((err) => logger.error({ err }, 'failed to write the answer'));
  const { apiKey } = model;
  const connectedModel = apiKey === undefined ? undefined : connectModel({ ...model, apiKey });
  const sql = database.service;
  return {
    name: 'assistant',
    memberRows,
    register(app: HttpApp): void {
      if (!connectedModel) logger.info('questions get ready-made reports; ANTHROPIC_API_KEY connects a model');
      addAssistantRoutes(app, { guards, getToolContext, hasModel: connectedModel !== undefined });
      const now = dataSources.now ?? (() => new Date());
      addAnswerRoutes(app, {
        guards,
        database,
        logger,
        model: connectedModel,
        count,
        limits,
        answerRegistry,
        getToolContext,
        now,
      });
      addTokenRoutes(app, { database, guards, mcpUrl: `${baseUrl.replace(/\/$/, '')}/mcp` });
      addMcpRoute(app, {
        tokenGuard: createTokenGuard({ sql, createLimiter, origins: listAllowedOrigins(baseUrl) }),
        // The sample user and the demo account cannot have tokens.
        getToolContext: ({ id, idp_id: idpId }) =>
          getToolContext({ idpId, sessionId: `mcp ${id}`, isSampleUser: false }),
      });
    },
    tasks: { [CLEANUP_TASK]: () => deleteExpired(sql) },
    // Conversations expire after 30 days. Routes hide expired conversations until the nightly job deletes them.
    schedules: [{ task: CLEANUP_TASK, match: '23 3 * * *', backfillMinutes: 600 }],
    // Runs before HTTP closes, because an open stream would delay the shutdown.
    startBackground: () => () => answerRegistry.close(),
    async onUserDeleted(transaction, idpId) {
      await deleteAssistantData(transaction, idpId);
      await deleteMemberTokens(transaction, idpId);
    },
    close: () => answerRegistry.close(),
    /** Returns how much the assistant was used, for the operator. */
    readUse: () => readAssistantUse(sql),
  } satisfies Feature & { readUse: unknown };
}
