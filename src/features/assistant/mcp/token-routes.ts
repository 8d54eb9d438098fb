import { AppError } from '../../../errors.ts';
import type { Database } from '../../../platform/database/connect.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { route } from '../../../platform/http/route.ts';
import type { Guards } from '../../../platform/identity/guards.ts';
import { createMemberAccess, parseIdParam } from '../../../platform/identity/member-access.ts';
import { type AssistantToken, routes } from './contract.ts';
import { insertToken, listTokens, revokeToken, type TokenRow } from './queries.ts';
import { hashToken, getTokenHint, generateToken } from './token.ts';

/** Maximum number of valid tokens per member. */
export const TOKEN_LIMIT = 10;
const TOKEN_NOT_FOUND = 'You have no token with this id.';

interface TokenRouteDependencies {
  database: Database;
  guards: Guards;
  /** The address for clients. */
  mcpUrl: string;
}

/** Adds the routes with which members list, create (shown once) and revoke their own tokens. */
export function addTokenRoutes(app: HttpApp, { database, guards, mcpUrl }: TokenRouteDependencies): void {
  const { asMember } = createMemberAccess(database, guards);
  const read = { guard: guards.member };
  const rejectedAccounts = ['demo-account', 'sample-user'] as const;
  const write = { guard: guards.editor({ rejects: rejectedAccounts }) };
  // A token outlives the session.
  const create = { guard: guards.editor({ rejects: rejectedAccounts, recent: true }) };

  route(app, routes.listAssistantTokens, read, async (request, reply) => {
    const rows = await listTokens(asMember(guards.getMember(request)));
    reply.header('cache-control', 'no-store');
    return { tokens: rows.map(toToken), limit: TOKEN_LIMIT, mcp_url: mcpUrl };
  });

  route(app, routes.createAssistantToken, create, async (request, reply) => {
    const member = guards.getMember(request);
    await guards.requireActiveSession(request);
    const { name, scopes, expires_in_days: days } = request.body;
    const token = generateToken();
    const { idpId } = member;
    const tokenRecord = {
      idpId,
      name,
      scopes,
      days,
      hash: hashToken(token),
      hint: getTokenHint(token),
      maxActive: TOKEN_LIMIT,
    };
    const row = await database.transactionAs({ sub: idpId, sid: member.sessionId }, async (sql) => {
      await guards.lockActiveSession(sql.service, request);
      return insertToken(sql.member, tokenRecord);
    });
    if (!row) {
      const message = `You already have the maximum of ${TOKEN_LIMIT} tokens; revoke one first.`;
      throw new AppError('LIMIT_REACHED', { message, body: { limit: TOKEN_LIMIT } });
    }
    reply.header('cache-control', 'no-store');
    return reply.code(201).send({ token, assistant_token: toToken(row) });
  });

  route(app, routes.revokeAssistantToken, write, async (request, reply) => {
    const id = parseIdParam(request.params, TOKEN_NOT_FOUND);
    if (!(await revokeToken(asMember(guards.getMember(request)), id)))
      throw new AppError('NOT_FOUND', { message: TOKEN_NOT_FOUND });
    return reply.code(204).send();
  });
}

const toToken = (row: TokenRow): AssistantToken => ({
  ...row,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});
