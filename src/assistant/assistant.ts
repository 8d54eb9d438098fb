import type { HttpApp } from '../http/app-type.ts';
import type { Slice } from '../slice.ts';
import { addMcpRoutes, type McpDependencies } from './mcp/mcp.ts';
import { deleteTokensOf } from './mcp/queries.ts';
import { addAssistantRoutes } from './routes.ts';
import { bindTools, type FactSources } from './tools/tool-context.ts';

interface AssistantDependencies extends McpDependencies {
  database: FactSources['database'] & McpDependencies['database'];
  facts: Omit<FactSources, 'database'>;
}

/** Wires the slice: the member's data as tools, and what answers by them. */
export function createAssistant({ guards, database, facts, baseUrl, limiterOf }: AssistantDependencies) {
  const toolsOf = bindTools({ database, ...facts });
  return {
    name: 'assistant',
    register(app: HttpApp): void {
      addAssistantRoutes(app, { guards, toolsOf });
      addMcpRoutes(app, { guards, database, baseUrl, limiterOf, toolsOf });
    },
    onUserDeleted: deleteTokensOf,
  } satisfies Slice;
}
