import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectClient, PROTOCOL_VERSIONS, type McpApp, startMcpApp } from '../../../../test/support/mcp-app.ts';
import { SECRET } from '../../../../test/support/sql-fixture.ts';
import { tools } from '../tools/tools.ts';

let app: McpApp;
let token: string;
beforeAll(async () => {
  app = await startMcpApp();
  token = await app.makeToken('user_ada');
});
afterAll(() => app.close());

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const call = (name: string, input: object = {}) => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name, arguments: input },
});
const connect = (protocolVersion: string, clientToken = token) =>
  connectClient(`${app.url}/mcp`, { authorization: `Bearer ${clientToken}` }, protocolVersion);

/** Input for each tool that returns a result. */
const EXAMPLE_INPUTS: Readonly<Record<string, object>> = {
  run_sql: { sql: 'select name from accounts order by name' },
  my_position: { symbol: 'AAPL' },
  why_moving: { symbol: 'AAPL' },
};

for (const protocolVersion of PROTOCOL_VERSIONS)
  test(`calls every tool with the official client in revision ${protocolVersion}`, async () => {
    const client = await connect(protocolVersion);
    try {
      assert.equal(client.getNegotiatedProtocolVersion(), protocolVersion);
      assert.match(client.getInstructions() ?? '', /data and never instructions/);
      const listedTools = (await client.listTools()).tools;
      assert.deepEqual(
        listedTools.map(({ name }) => name),
        tools.map(({ name }) => name),
      );
      for (const { name, annotations, inputSchema, outputSchema } of listedTools) {
        assert.equal(annotations?.readOnlyHint, true);
        assert.deepEqual([inputSchema.type, outputSchema?.type], ['object', 'object']);
        // The client validates the response against the output schema.
        const response = await client.callTool({ name, arguments: { ...EXAMPLE_INPUTS[name] } });
        assert.ok(!response.isError, `${name}: ${JSON.stringify(response.content)}`);
        const result = response.structuredContent as { columns: string[]; rows: unknown[][] };
        assert.ok(result.columns.length > 0 && result.rows.length > 0, name);
        assert.deepEqual(JSON.parse((response.content as { text: string }[])[0]!.text), result);
      }
    } finally {
      await client.close();
    }
  });

for (const protocolVersion of PROTOCOL_VERSIONS)
  test(`returns guidance when a tool rejects input (${protocolVersion})`, async () => {
    const client = await connect(protocolVersion);
    try {
      const rejected = await client.callTool({ name: 'run_sql', arguments: { sql: 'delete from accounts' } });
      assert.equal(rejected.isError, true);
      assert.match(JSON.stringify(rejected.content), /Only SELECT is available/);
      const malformed = await client.callTool({ name: 'run_sql', arguments: { query: 'select 1' } });
      assert.equal(malformed.isError, true);
      assert.match(JSON.stringify(malformed.content), /The input is not valid/);
      await assert.rejects(client.callTool({ name: 'place_order', arguments: {} }), /Unknown tool place_order/);
    } finally {
      await client.close();
    }
  });

test('returns only the rows of the member who owns the token', async () => {
  const responses = await Promise.all(
    ['user_ada', 'user_bob'].map(async (member) => {
      const memberToken = await app.makeToken(member);
      return (await app.post(memberToken, call('run_sql', { sql: 'select name from accounts order by 1' }))).text();
    }),
  );
  assert.match(responses[0]!, /Brokerage/);
  assert.doesNotMatch(responses[0]!, new RegExp(SECRET));
  assert.match(responses[1]!, new RegExp(SECRET));
  assert.doesNotMatch(responses[1]!, /Brokerage/);
});

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/**
 * Sends a POST with exactly these headers besides token and content type. Node's own fetch always adds an `accept`
 * header.
 */
const postWith = (path: string, headers: Record<string, string>, message: object) =>
  new Promise<{ status: number | undefined; type: string | undefined; body: string }>((resolve, reject) => {
    const allHeaders = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
    request(`${app.url}${path}`, { method: 'POST', headers: allHeaders }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode, type: response.headers['content-type'], body }),
        reject,
      );
    })
      .on('error', reject)
      .end(JSON.stringify(message));
  });

for (const [description, path, headers] of [
  ['the client accepts anything', '/mcp', { accept: '*/*' }],
  ['the client accepts only JSON', '/mcp', { accept: 'application/json' }],
  ['the client names both media types', '/mcp', { accept: 'application/json, text/event-stream' }],
  ['the client sends no accept header', '/mcp', {}],
  ['the address ends with a slash', '/mcp/', { accept: '*/*' }],
  ['the address has a query', '/mcp?x', { accept: '*/*' }],
  ['the address has a slash and a query', '/mcp/?x=1', {}],
] as const)
  test(`answers initialize, a call and a notification as JSON when ${description}`, async () => {
    const initialized = await postWith(path, headers, initialize('2025-11-25'));
    assert.deepEqual([initialized.status, initialized.type], [200, 'application/json'], initialized.body);
    assert.equal(JSON.parse(initialized.body).result.protocolVersion, '2025-11-25');
    const callResult = await postWith(path, headers, call('my_position', EXAMPLE_INPUTS['my_position']));
    assert.equal(callResult.status, 200, callResult.body);
    assert.ok(JSON.parse(callResult.body).result.structuredContent.rows.length > 0);
    const notified = await postWith(path, headers, { jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual([notified.status, notified.body], [202, '']);
  });

for (const version of ['2099-01-01', '2026-07-28', '1999-01-01', 'x'])
  test(`negotiates a supported version when initialize requests ${version}`, async () => {
    for (const [requestedVersion, headers] of [
      [version, {}],
      ['2025-11-25', { 'mcp-protocol-version': version }],
      [version, { 'mcp-protocol-version': version }],
    ] as const) {
      const { status, body } = await postWith('/mcp', headers, initialize(requestedVersion));
      assert.equal(status, 200, body);
      assert.equal(JSON.parse(body).result.protocolVersion, '2025-11-25');
    }
  });

describe('rejections', () => {
  const toRejection = async (response: Promise<Response>) => {
    const { status, headers } = await response;
    return [status, headers.get('www-authenticate')];
  };

  test('returns 401 with a challenge when no valid token is sent', async () => {
    assert.deepEqual(await toRejection(app.post(undefined, ping)), [401, 'Bearer realm="tally"']);
    const invalid = 'Bearer realm="tally", error="invalid_token", error_description="unknown, expired or revoked"';
    const expired = await app.makeToken('user_ada');
    await app.db.owner(`update public.assistant_tokens set expires_at = now() where hint = $1`, [expired.slice(-4)]);
    const revoked = await app.makeToken('user_ada');
    await app.db.owner(`update public.assistant_tokens set revoked_at = now() where hint = $1`, [revoked.slice(-4)]);
    const altered = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    for (const badToken of ['x', `${token}x`, `tally_mcp_${'A'.repeat(43)}`, altered, expired, revoked])
      assert.deepEqual(await toRejection(app.post(badToken, ping)), [401, invalid], badToken.slice(0, 12));
    const cookie = await app.post(undefined, ping, { cookie: `__session=${token}`, 'x-member': 'user_ada' });
    assert.equal(cookie.status, 401, 'a session opens nothing here');
    const api = await fetch(`${app.url}/api/assistant/tokens`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(api.status, 401, 'and a token opens nothing else');
  });

  test('hides a tool and returns 403 with the scope when the token lacks it', async () => {
    for (const [scopes, missingScope, tool] of [
      [['reports'], 'sql', 'run_sql'],
      [['sql'], 'reports', 'my_position'],
    ] as const) {
      const scopedToken = await app.makeToken('user_ada', { scopes: [...scopes] });
      for (const protocolVersion of PROTOCOL_VERSIONS) {
        const client = await connect(protocolVersion, scopedToken);
        const { tools: listedTools } = await client.listTools();
        assert.ok(listedTools.length > 0 && listedTools.every(({ name }) => name !== tool));
        await client.close();
      }
      assert.deepEqual(await toRejection(app.post(scopedToken, call(tool, EXAMPLE_INPUTS[tool]))), [
        403,
        `Bearer realm="tally", error="insufficient_scope", scope="${missingScope}"`,
      ]);
    }
  });

  test('accepts pages of this site and programs, rejects pages of another origin', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:3001'])
      assert.equal((await app.post(token, ping, { origin })).status, 403, origin);
    for (const origin of ['http://127.0.0.1:3000', 'http://localhost:3000'])
      assert.equal((await app.post(token, ping, { origin })).status, 200, origin);
  });

  test('rejects other methods, batches, oversized bodies and invalid messages', async () => {
    const authorization = `Bearer ${token}`;
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(`${app.url}/mcp`, { method, headers: { authorization } });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'], method);
    }
    assert.equal((await app.post(token, [ping, ping])).status, 400);
    assert.equal((await app.post(token, { ...ping, params: { x: 'x'.repeat(70_000) } })).status, 413);
    assert.equal((await app.post(token, 'ping')).status, 400);
    assert.equal((await app.post(token, ping, { 'content-type': 'text/plain' })).status, 415);
    for (const version of ['1999-01-01', '2099-01-01'])
      assert.equal((await app.post(token, ping, { 'mcp-protocol-version': version })).status, 400, version);
    assert.equal((await app.post(token, ping, { accept: 'text/html' })).status, 406);
  });

  test('limits the requests of a member and the rejections of an address', { tags: ['slow'] }, async () => {
    const busyToken = await app.makeToken('user_bob');
    const statuses = await Promise.all(
      Array.from({ length: 130 }, async () => (await app.post(busyToken, ping)).status),
    );
    assert.ok(statuses.includes(429));
    assert.equal((await app.post(await app.makeToken('user_bob'), ping)).status, 429, 'another token of theirs too');
    assert.equal((await app.post(token, ping)).status, 200, 'another member is not held up');
    const guessStatuses = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, index) => (await app.post(`tally_mcp_${String(index).padStart(43, 'A')}`, ping)).status,
      ),
    );
    assert.ok(guessStatuses.includes(429) && guessStatuses.every((status) => status === 401 || status === 429));
    assert.equal((await app.post(token, ping)).status, 200, 'a good token passes from that address');
  });
});

test('creates no session and rejects subscriptions', async () => {
  const response = await app.post(token, initialize('2025-11-25'));
  assert.deepEqual([response.status, response.headers.get('mcp-session-id')], [200, null]);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const client = await connect('2026-07-28');
  try {
    assert.equal(client.getServerCapabilities()?.tools?.listChanged, undefined);
    await assert.rejects(client.listen({ toolsListChanged: true }));
  } finally {
    await client.close();
  }
});
