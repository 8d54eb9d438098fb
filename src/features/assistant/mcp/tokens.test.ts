import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { assertDocumented } from '../../../../test/support/documented-responses.ts';
import { type McpApp, startMcpApp } from '../../../../test/support/mcp-app.ts';

const ADA = 'user_ada';
const BOB = 'user_bob';
const PATH = '/api/assistant/tokens';

let app: McpApp;
beforeAll(async () => {
  app = await startMcpApp();
});
afterAll(() => app.close());

async function call(method: string, path: string, member?: string, body?: object) {
  const response = await app.call(method, path, member, body);
  assertDocumented(method, path, response);
  return response;
}

describe('tokens of a member', () => {
  test('shows a token once, stores its hash and rejects it after its revocation', async () => {
    const created = await call('POST', PATH, ADA, { name: ' Laptop ', scopes: ['sql'], expires_in_days: 7 });
    assert.equal(created.status, 201);
    assert.equal(created.headers.get('cache-control'), 'no-store');
    const { token, assistant_token: row } = created.body;
    assert.match(token, /^tally_mcp_[\w-]{43}$/);
    assert.deepEqual([row.name, row.scopes, row.hint, row.last_used_at], ['Laptop', ['sql'], token.slice(-4), null]);
    assert.equal(Date.parse(row.expires_at) - Date.parse(row.created_at), 7 * 86_400_000);
    const list = await call('GET', PATH, ADA);
    assert.deepEqual(list.body.tokens, [row]);
    assert.ok(!JSON.stringify(list.body).includes(token));
    const [stored] = await app.db.owner<{ row: string }>('select t::text as row from public.assistant_tokens t');
    assert.ok(!stored!.row.includes(token.slice(10)), 'stores the token nowhere');

    assert.equal((await app.post(token, { jsonrpc: '2.0', id: 1, method: 'ping' })).status, 200);
    assert.notEqual((await call('GET', PATH, ADA)).body.tokens[0].last_used_at, null);
    assert.equal((await call('DELETE', `${PATH}/${row.id}`, ADA)).status, 204);
    assert.equal((await app.post(token, { jsonrpc: '2.0', id: 1, method: 'ping' })).status, 401);
    assert.equal((await call('DELETE', `${PATH}/${row.id}`, ADA)).status, 204, 'again is no mistake');
  });

  test('lets only the owner see and revoke a token', async () => {
    const { token, assistant_token: row } = (await call('POST', PATH, ADA, { name: 'Mine' })).body;
    assert.deepEqual((await call('GET', PATH, BOB)).body.tokens, []);
    const rejected = await call('DELETE', `${PATH}/${row.id}`, BOB);
    assert.deepEqual([rejected.status, rejected.body.code], [404, 'NOT_FOUND']);
    assert.equal((await app.post(token, { jsonrpc: '2.0', id: 1, method: 'ping' })).status, 200);
  });

  test('rejects visitors, the demo account, the sample user and invalid bodies', async () => {
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['DELETE', `${PATH}/00000000-0000-4000-8000-000000000000`],
    ] as const)
      assert.equal((await call(method, path)).status, 401);
    for (const [member, code] of [
      ['user_demo', 'DEMO_ACCOUNT'],
      ['user_sample', 'DEMO_MODE'],
    ] as const) {
      const created = await call('POST', PATH, member, { name: 'a' });
      const deletion = await call('DELETE', `${PATH}/00000000-0000-4000-8000-000000000000`, member);
      assert.deepEqual(
        [created.status, created.body.code, deletion.status, deletion.body.code],
        [403, code, 403, code],
      );
    }
    for (const body of [
      {},
      { name: ' ' },
      { name: 'a'.repeat(121) },
      { name: 'a\0' },
      { name: 'gnp.\u202Eexe' },
      { name: 'a', scopes: [] },
      { name: 'a', scopes: ['all'] },
      { name: 'a', scopes: ['sql', 'sql'] },
      { name: 'a', expires_in_days: 0 },
      { name: 'a', expires_in_days: 366 },
      { name: 'a', idp_id: ADA },
    ]) {
      const rejected = await call('POST', PATH, ADA, body);
      assert.deepEqual([rejected.status, rejected.body.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
    }
    assert.equal((await call('DELETE', `${PATH}/none`, ADA)).status, 404);
  });

  test('allows ten valid tokens at most, also when they are created concurrently', async () => {
    await app.db.owner('delete from public.assistant_tokens');
    const responses = await Promise.all(
      Array.from({ length: 14 }, (_, index) => call('POST', PATH, BOB, { name: `${index}` })),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 10);
    const rejected = await call('POST', PATH, BOB, { name: 'one more' });
    assert.deepEqual([rejected.status, rejected.body.code, rejected.body.limit], [403, 'LIMIT_REACHED', 10]);
    await app.db.owner(
      `update public.assistant_tokens set expires_at = now()
        where id = (select id from public.assistant_tokens limit 1)`,
    );
    assert.equal((await call('POST', PATH, BOB, { name: 'one more' })).status, 201);
  });
});
