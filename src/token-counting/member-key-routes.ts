import { z } from 'zod';
import type { ServiceSql } from '../database/roles.ts';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { bodyRefusals, coded, memberRefusals } from '../http/failure-schemas.ts';
import type { Guards } from '../identity/guards.ts';
import type { ApiKey } from './contract.ts';
import { apiKeyList, newApiKeyRequest, newApiKeyResponse } from './contract.ts';
import { createApiKey, MEMBER_KEY_LIMIT } from './create-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import type { ApiKeyRow } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';

export interface MemberKeyDependencies {
  sql: ServiceSql;
  guards: Guards;
  /** Called after a revocation, so that this process refuses the key at once. */
  forgetKeys: () => void;
}

const notAllowed = coded('DEMO_ACCOUNT', 'DEMO_MODE', 'CROSS_ORIGIN');
const newKeyRefusals = {
  ...memberRefusals,
  ...bodyRefusals,
  403: z.union([coded('LIMIT_REACHED').extend({ limit: z.int().positive() }), notAllowed]),
};
const revocationRefusals = { ...memberRefusals, ...bodyRefusals, 403: notAllowed, 404: coded('NOT_FOUND') };

/** A member's own keys on the settings page: list, create (shown once, at most 20), revoke. */
export function addMemberKeyRoutes(app: HttpApp, { sql, guards, forgetKeys }: MemberKeyDependencies): void {
  const tags = ['API keys'];
  const read = { guard: guards.member };
  const write = { guard: guards.editor({ refuses: ['demo-account', 'sample-user'] }) };

  app.get(
    '/api/api-keys',
    { config: read, schema: { tags, response: { 200: apiKeyList, ...memberRefusals } } },
    async (request, reply) => {
      const member = guards.memberOf(request);
      const rows = await listApiKeys(sql, member.idpId);
      reply.header('cache-control', 'no-store');
      return { api_keys: rows.map(toApiKey), limit: MEMBER_KEY_LIMIT };
    },
  );

  app.post(
    '/api/api-keys',
    {
      config: write,
      schema: { tags, body: newApiKeyRequest, response: { 201: newApiKeyResponse, ...newKeyRefusals } },
    },
    async (request, reply) => {
      const member = guards.memberOf(request);
      const created = await createApiKey(sql, { memberIdpId: member.idpId }, request.body.name);
      if (!created.ok) {
        const message = `You have ${created.limit} keys, the most there can be; revoke one first.`;
        throw new Failure('LIMIT_REACHED', { message, body: { limit: created.limit } });
      }
      reply.header('cache-control', 'no-store');
      return reply.code(201).send({ key: created.key, api_key: toApiKey(created.row) });
    },
  );

  app.delete(
    '/api/api-keys/:id',
    {
      config: write,
      schema: {
        tags,
        params: z.object({ id: z.string() }),
        response: { 204: z.null().describe('It is revoked.'), ...revocationRefusals },
      },
    },
    async (request, reply) => {
      const member = guards.memberOf(request);
      const row = await revokeApiKey(sql, request.params.id, member.idpId);
      if (!row) throw new Failure('NOT_FOUND', { message: 'You have no key with this id.' });
      forgetKeys();
      return reply.code(204).send(null);
    },
  );
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
