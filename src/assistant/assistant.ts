import type { Logger } from 'pino';
import type { Database } from '../database/connect.ts';
import type { HttpApp } from '../http/app-type.ts';
import type { Slice } from '../slice.ts';
import { createLiveAnswers } from './answers/live-answers.ts';
import { addAnswerRoutes } from './answers/routes.ts';
import { type DailyLimits, deleteAssistantOf } from './conversations/queries.ts';
import { memberRows } from './export-queries.ts';
import { assistantSchedules, assistantTasks } from './jobs.ts';
import { addMcpRoutes, type McpDependencies } from './mcp/mcp.ts';
import { deleteTokensOf } from './mcp/queries.ts';
import { connectModel, type ModelSettings } from './model/connect-model.ts';
import type { ModelBody } from './model/model.ts';
import { addAssistantRoutes } from './routes.ts';
import { bindTools, type FactSources } from './tools/tool-context.ts';

interface AssistantDependencies extends McpDependencies {
  database: Database;
  logger: Logger;
  facts: Omit<FactSources, 'database'>;
  /** Tokens of a request, by our own counter. */
  count: (body: ModelBody) => number;
  /** Without a key there are plain reports alone. */
  model: Omit<ModelSettings, 'apiKey'> & { apiKey: string | undefined };
  limits: DailyLimits;
}

/** Wires the slice: the member's data as tools, the model that answers by them, plain reports, MCP. */
export function createAssistant({
  database,
  logger,
  guards,
  facts,
  count,
  model,
  limits,
  ...mcp
}: AssistantDependencies) {
  const toolsOf = bindTools({ database, ...facts });
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
      addMcpRoutes(app, { ...mcp, guards, database, toolsOf });
    },
    tasks: assistantTasks(sql),
    schedules: assistantSchedules,
    // Before HTTP closes: a stream that goes on would hold it up.
    startBackground: () => () => live.close(),
    async onUserDeleted(transaction, idpId) {
      await deleteAssistantOf(transaction, idpId);
      await deleteTokensOf(transaction, idpId);
    },
    close: () => live.close(),
  } satisfies Slice;
}
