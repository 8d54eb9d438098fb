import type { Database } from '../../database/connect.ts';
import type { HttpApp } from '../../http/app-type.ts';
import type { SharedLimits } from '../../http/shared-limits.ts';
import type { Guards } from '../../identity/guards.ts';
import { memberAccess } from '../../identity/member-access.ts';
import { allowedOrigins } from '../../identity/origins.ts';
import type { bindTools } from '../tools/tool-context.ts';
import { addMcpRoute } from './mcp-route.ts';
import { createTokenGuard } from './token-guard.ts';
import { addTokenRoutes } from './token-routes.ts';

export interface McpDependencies {
  database: Pick<Database, 'asMember' | 'service'>;
  guards: Guards;
  /** Where people reach the service. */
  baseUrl: string;
  limiterOf: SharedLimits['limiter'];
}

/** Adds what a member's own assistant connects to, and the tokens that let it in. */
export function addMcpRoutes(
  app: HttpApp,
  { database, guards, toolsOf, baseUrl, limiterOf }: McpDependencies & { toolsOf: ReturnType<typeof bindTools> },
): void {
  addTokenRoutes(app, memberAccess(database, guards), `${baseUrl.replace(/\/$/, '')}/mcp`);
  addMcpRoute(app, {
    access: createTokenGuard({ sql: database.service, limiterOf, origins: allowedOrigins(baseUrl) }),
    // The sample user and the demo account are refused tokens.
    contextOf: ({ id, idp_id: idpId }) => toolsOf({ idpId, sessionId: `mcp ${id}`, isSampleUser: false }),
  });
}
