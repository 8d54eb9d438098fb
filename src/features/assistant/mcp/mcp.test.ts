import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectClient, ERAS, type McpApp, startMcpApp } from '../../../../test/support/mcp-app.ts';
import { SECRET } from '../../../../test/support/sql-room.ts';
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
  ...{ jsonrpc: '2.0', id: 2, method: 'tools/call' },
  params: { name, arguments: input },
});
const connect = (era: string, with_ = token) =>
  connectClient(`${app.url}/mcp`, { authorization: `Bearer ${with_}` }, era);

/** What each tool is called with, so that it answers. */
const INPUTS: Readonly<Record<string, object>> = {
  run_sql: { sql: 'select name from accounts order by name' },
  my_position: { symbol: 'AAPL' },
  why_moving: { symbol: 'AAPL' },
};

for (const era of ERAS)
  test(`the official client lists every tool and calls each, in the revision ${era}`, async () => {
    const client = await connect(era);
    try {
      assert.equal(client.getNegotiatedProtocolVersion(), era);
      assert.match(client.getInstructions() ?? '', /data and never instructions/);
      const listed = (await client.listTools()).tools;
      assert.deepEqual(
        listed.map(({ name }) => name),
        tools.map(({ name }) => name),
      );
      for (const { name, annotations, inputSchema, outputSchema } of listed) {
        assert.equal(annotations?.readOnlyHint, true);
        assert.deepEqual([inputSchema.type, outputSchema?.type], ['object', 'object']);
        // The client holds the result against the output schema.
        const answer = await client.callTool({ name, arguments: { ...INPUTS[name] } });
        assert.ok(!answer.isError, `${name}: ${JSON.stringify(answer.content)}`);
        const result = answer.structuredContent as { columns: string[]; rows: unknown[][] };
        assert.ok(result.columns.length > 0 && result.rows.length > 0, name);
        assert.deepEqual(JSON.parse((answer.content as { text: string }[])[0]!.text), result);
      }
    } finally {
      await client.close();
    }
  });

for (const era of ERAS)
  test(`what a tool refuses is an answer that teaches; an unknown tool is an error (${era})`, async () => {
    const client = await connect(era);
    try {
      const refused = await client.callTool({ name: 'run_sql', arguments: { sql: 'delete from accounts' } });
      assert.equal(refused.isError, true);
      assert.match(JSON.stringify(refused.content), /Only SELECT is available/);
      const malformed = await client.callTool({ name: 'run_sql', arguments: { query: 'select 1' } });
      assert.equal(malformed.isError, true);
      assert.match(JSON.stringify(malformed.content), /The input is not valid/);
      await assert.rejects(client.callTool({ name: 'place_order', arguments: {} }), /Unknown tool place_order/);
    } finally {
      await client.close();
    }
  });

test("a token reads its owner's rows and nobody else's", async () => {
  const answers = await Promise.all(
    ['user_ada', 'user_bob'].map(async (member) => {
      const own = await app.makeToken(member);
      return (await app.post(own, call('run_sql', { sql: 'select name from accounts order by 1' }))).text();
    }),
  );
  assert.match(answers[0]!, /Brokerage/);
  assert.doesNotMatch(answers[0]!, new RegExp(SECRET));
  assert.match(answers[1]!, new RegExp(SECRET));
  assert.doesNotMatch(answers[1]!, /Brokerage/);
});

const initialize = (protocolVersion: string) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/** A POST with exactly these headers beside token and content type; Node's own fetch always adds an `accept`. */
const postWith = (path: string, headers: Record<string, string>, message: object) =>
  new Promise<{ status: number | undefined; type: string | undefined; body: string }>((resolve, reject) => {
    const sent = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
    request(`${app.url}${path}`, { method: 'POST', headers: sent }, (answer) => {
      text(answer).then(
        (body) => resolve({ status: answer.statusCode, type: answer.headers['content-type'], body }),
        reject,
      );
    })
      .on('error', reject)
      .end(JSON.stringify(message));
  });

for (const [what, path, headers] of [
  ['the client accepts anything', '/mcp', { accept: '*/*' }],
  ['the client accepts JSON alone', '/mcp', { accept: 'application/json' }],
  ['the client names both media types', '/mcp', { accept: 'application/json, text/event-stream' }],
  ['the client sends no accept header', '/mcp', {}],
  ['the address ends with a slash', '/mcp/', { accept: '*/*' }],
  ['the address has a query', '/mcp?x', { accept: '*/*' }],
  ['the address has a slash and a query', '/mcp/?x=1', {}],
] as const)
  test(`answers initialize, a call and a notification as JSON when ${what}`, async () => {
    const begun = await postWith(path, headers, initialize('2025-11-25'));
    assert.deepEqual([begun.status, begun.type], [200, 'application/json'], begun.body);
    assert.equal(JSON.parse(begun.body).result.protocolVersion, '2025-11-25');
    const called = await postWith(path, headers, call('my_position', INPUTS['my_position']));
    assert.equal(called.status, 200, called.body);
    assert.ok(JSON.parse(called.body).result.structuredContent.rows.length > 0);
    const noted = await postWith(path, headers, { jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual([noted.status, noted.body], [202, '']);
  });

for (const version of ['2099-01-01', '2026-07-28', '1999-01-01', 'x'])
  test(`negotiates a version that it has when initialize asks for ${version}, in body, header or both`, async () => {
    for (const [asked, headers] of [
      [version, {}],
      ['2025-11-25', { 'mcp-protocol-version': version }],
      [version, { 'mcp-protocol-version': version }],
    ] as const) {
      const { status, body } = await postWith('/mcp', headers, initialize(asked));
      assert.equal(status, 200, body);
      assert.equal(JSON.parse(body).result.protocolVersion, '2025-11-25');
    }
  });

describe('refused is', () => {
  const refusal = async (answer: Promise<Response>) => {
    const { status, headers, ...rest } = await answer;
    void rest;
    return [status, headers.get('www-authenticate')];
  };

  test('a request without a token in effect: 401 that says which challenge', async () => {
    assert.deepEqual(await refusal(app.post(undefined, ping)), [401, 'Bearer realm="tally"']);
    const invalid = 'Bearer realm="tally", error="invalid_token", error_description="unknown, expired or revoked"';
    const expired = await app.makeToken('user_ada');
    await app.db.owner(`update public.assistant_tokens set expires_at = now() where hint = $1`, [expired.slice(-4)]);
    const revoked = await app.makeToken('user_ada');
    await app.db.owner(`update public.assistant_tokens set revoked_at = now() where hint = $1`, [revoked.slice(-4)]);
    const altered = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    for (const bad of ['x', `${token}x`, `tally_mcp_${'A'.repeat(43)}`, altered, expired, revoked])
      assert.deepEqual(await refusal(app.post(bad, ping)), [401, invalid], bad.slice(0, 12));
    const cookie = await app.post(undefined, ping, { cookie: `__session=${token}`, 'x-member': 'user_ada' });
    assert.equal(cookie.status, 401, 'a session opens nothing here');
    const api = await fetch(`${app.url}/api/assistant/tokens`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(api.status, 401, 'and a token opens nothing else');
  });

  test('a tool that the scopes leave out: it is not listed, and 403 names the scope', async () => {
    for (const [scopes, missing, tool] of [
      [['reports'], 'sql', 'run_sql'],
      [['sql'], 'reports', 'my_position'],
    ] as const) {
      const own = await app.makeToken('user_ada', { scopes: [...scopes] });
      for (const era of ERAS) {
        const client = await connect(era, own);
        const { tools: listed } = await client.listTools();
        assert.ok(listed.length > 0 && listed.every(({ name }) => name !== tool));
        await client.close();
      }
      assert.deepEqual(await refusal(app.post(own, call(tool, INPUTS[tool]))), [
        403,
        `Bearer realm="tally", error="insufficient_scope", scope="${missing}"`,
      ]);
    }
  });

  test('a page of another site, with a good token too; our own page and a program may', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:3001'])
      assert.equal((await app.post(token, ping, { origin })).status, 403, origin);
    for (const origin of ['http://127.0.0.1:3000', 'http://localhost:3000'])
      assert.equal((await app.post(token, ping, { origin })).status, 200, origin);
  });

  test('another method, a batch, too much, and what is no message', async () => {
    const authorization = `Bearer ${token}`;
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(`${app.url}/mcp`, { method, headers: { authorization } });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], method);
    }
    assert.equal((await app.post(token, [ping, ping])).status, 400);
    assert.equal((await app.post(token, { ...ping, params: { x: 'x'.repeat(70_000) } })).status, 413);
    assert.equal((await app.post(token, 'ping')).status, 400);
    assert.equal((await app.post(token, ping, { 'content-type': 'text/plain' })).status, 415);
    for (const version of ['1999-01-01', '2099-01-01'])
      assert.equal((await app.post(token, ping, { 'mcp-protocol-version': version })).status, 400, version);
    assert.equal((await app.post(token, ping, { accept: 'text/html' })).status, 406);
  });

  test(
    'what comes too often: a member past their requests a minute, an address past its refusals',
    { tags: ['slow'] },
    async () => {
      const eager = await app.makeToken('user_bob');
      const statuses = await Promise.all(Array.from({ length: 130 }, async () => (await app.post(eager, ping)).status));
      assert.ok(statuses.includes(429));
      assert.equal((await app.post(await app.makeToken('user_bob'), ping)).status, 429, 'another token of theirs too');
      assert.equal((await app.post(token, ping)).status, 200, 'another member is not held up');
      const guesses = await Promise.all(
        Array.from(
          { length: 40 },
          async (_, at) => (await app.post(`tally_mcp_${String(at).padStart(43, 'A')}`, ping)).status,
        ),
      );
      assert.ok(guesses.includes(429) && guesses.every((status) => status === 401 || status === 429));
      assert.equal((await app.post(token, ping)).status, 200, 'a good token passes from that address');
    },
  );
});

test('nothing of a request stays: no session is named, and a subscription is refused', async () => {
  const answer = await app.post(token, initialize('2025-11-25'));
  assert.deepEqual([answer.status, answer.headers.get('mcp-session-id')], [200, null]);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const client = await connect('2026-07-28');
  try {
    assert.equal(client.getServerCapabilities()?.tools?.listChanged, undefined);
    await assert.rejects(client.listen({ toolsListChanged: true }));
  } finally {
    await client.close();
  }
});
