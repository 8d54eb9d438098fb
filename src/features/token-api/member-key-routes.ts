import type { ServiceSql } from '../../platform/database/roles.ts';
import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { type ApiKey, routes } from './contract.ts';
import { createApiKey, MEMBER_KEY_LIMIT } from './create-api-key.ts';
import { type ApiKeyRow, listApiKeys } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';

interface MemberKeyDependencies {
  sql: ServiceSql;
  guards: Guards;
  /** Called after a revocation, so that this process rejects the key immediately. */
  clearKeyCache: () => void;
}

/** Adds the routes of a member's keys: list, create (shown once, at most 20), revoke. */
export function addMemberKeyRoutes(app: HttpApp, { sql, guards, clearKeyCache }: MemberKeyDependencies): void {
  const read = { guard: guards.member };
  const rejects = ['demo-account', 'sample-user'] as const;
  const write = { guard: guards.editor({ rejects }) };
  // A key outlives the session.
  const create = { guard: guards.editor({ rejects, recent: true }) };

  route(app, routes.listApiKeys, read, async (request, reply) => {
    const member = guards.getMember(request);
    const rows = await listApiKeys(sql, member.idpId);
    reply.header('cache-control', 'no-store');
    return { api_keys: rows.map(toApiKey), limit: MEMBER_KEY_LIMIT };
  });

  route(app, routes.createApiKey, create, async (request, reply) => {
    const member = guards.getMember(request);
    await guards.requireActiveSession(request);
    const created = await sql.transaction(async (transaction) => {
      await guards.lockActiveSession(transaction, request);
      return createApiKey(transaction, { memberIdpId: member.idpId }, request.body.name);
    });
    if (!created.ok) {
      const message = `You have ${created.limit} keys, the most there can be; revoke one first.`;
      throw new AppError('LIMIT_REACHED', { message, body: { limit: created.limit } });
    }
    reply.header('cache-control', 'no-store');
    return reply.code(201).send({ key: created.key, api_key: toApiKey(created.row) });
  });

  route(app, routes.revokeApiKey, write, async (request, reply) => {
    const member = guards.getMember(request);
    const row = await revokeApiKey(sql, request.params.id, member.idpId);
    if (!row) throw new AppError('NOT_FOUND', { message: 'You have no key with this id.' });
    clearKeyCache();
    return reply.code(204).send();
  });
}

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  usage_tier: row.usage_tier,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});
