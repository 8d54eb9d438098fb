import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'vitest';
import { callBackend, createEmail, SECRET_KEY, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { createProviderClient, type ProviderResult } from './provider-client.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, attempt: number) => void;

/** Starts a provider that responds with `answer`. */
async function createClientAgainst(t: TestContext, answer: Answer, timeoutMs = 60_000) {
  const requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    answer(request, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix`;
  return { requests, client: createProviderClient({ apiUrl, secretKey: SECRET_KEY, timeoutMs }) };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const errorResponse = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json(status, { errors: [{ message: 'm', long_message: 'l', code }], clerk_trace_id: 'trace' }, headers);

const session = (more: object = {}) => ({
  object: 'session',
  id: 'sess_1',
  user_id: 'user_1',
  client_id: 'client_1',
  status: 'active',
  last_active_at: 1,
  expire_at: 2,
  created_at: 1,
  updated_at: 1,
  ...more,
});

/** Returns the outcome of one call as a short text. */
function summarize(outcome: ProviderResult<unknown>): string {
  if (outcome.ok) return 'ok';
  return outcome.reason === 'conflict' ? `conflict ${outcome.code}` : outcome.reason;
}

const revoked = session({ status: 'revoked' });
/** Expected outcomes of reading and revoking. A missing one means `unconfirmed`. */
const matrix: [what: string, answer: Answer, get?: string, revoke?: string][] = [
  ['the session, active', json(200, session()), 'ok', 'unconfirmed'],
  ['the session, revoked', json(200, revoked), 'ok', 'ok'],
  ['another session', json(200, session({ id: 'sess_2', status: 'revoked' }))],
  ['a status that does not exist', json(200, session({ status: 'asleep' }))],
  ['a session without its person', json(200, { ...revoked, user_id: undefined })],
  ['an empty object', json(200, {})],
  ['null', json(200, 'null')],
  ['half of an answer', json(200, '{"object":"session","id":')],
  ['201', json(201, revoked)],
  [
    'a charset behind the media type',
    json(200, session({ status: 'revoked' }), { 'content-type': 'application/json; charset=utf-8' }),
    'ok',
    'ok',
  ],
  [
    'the media type in capitals',
    json(200, session({ status: 'revoked' }), { 'content-type': 'Application/JSON' }),
    'ok',
    'ok',
  ],
  ['plain text', json(200, session({ status: 'revoked' }), { 'content-type': 'text/plain' })],
  ['a page', json(200, '<html></html>', { 'content-type': 'text/html' })],
  ['404 by name', errorResponse(404, 'resource_not_found'), 'not_found', 'not_found'],
  ['404 without a name', json(404, {}), 'not_found', 'not_found'],
  ['404 with another code', errorResponse(404, 'url_not_found'), 'not_found', 'not_found'],
  ['404 with no error in it', json(404, { errors: [] }), 'not_found', 'not_found'],
  ['404 of a proxy', json(404, '<html>not here</html>', { 'content-type': 'text/html' })],
  ['404 of a proxy, as JSON', json(404, '<html>not here</html>')],
  ['404 without a body', json(404, '')],
  [
    '400 with a code',
    errorResponse(400, 'sign_in_token_cannot_be_revoked_code'),
    'conflict sign_in_token_cannot_be_revoked_code',
    'conflict sign_in_token_cannot_be_revoked_code',
  ],
  [
    '400 with a code and a charset',
    errorResponse(400, 'c', { 'content-type': 'application/json; charset=utf-8' }),
    'conflict c',
    'conflict c',
  ],
  ['400 with an empty code', errorResponse(400, '')],
  ['400 with no errors', json(400, { errors: [] })],
  ['409 with a code', errorResponse(409, 'c'), 'conflict c', 'conflict c'],
  ['422 with a code', errorResponse(422, 'c'), 'conflict c', 'conflict c'],
  ['401', errorResponse(401, 'clerk_key_invalid')],
  ['403', errorResponse(403, 'authorization_invalid')],
  ['429', errorResponse(429, 'too_many_requests', { 'retry-after': '7' })],
  ['500', errorResponse(500, 'internal_clerk_error')],
  ['502 of a proxy', json(502, '<html></html>', { 'content-type': 'text/html' })],
  ['a redirect', json(302, '', { location: '/prefix/v1/sessions/sess_1' })],
  ['a broken connection', (_request, response) => response.destroy()],
  [
    'a connection that breaks half-way',
    (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        .write('{"object":"session"', () => response.destroy());
    },
  ],
  ['no answer', () => {}],
  [
    'a body without end',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const writeMore = (): void => {
        if (!response.destroyed) response.write(' '.repeat(65_536), () => setImmediate(writeMore));
      };
      writeMore();
    },
  ],
];

for (const [what, answer, get = 'unconfirmed', revoke = 'unconfirmed'] of matrix) {
  test(`returns ${get} for a read and ${revoke} for a revocation after ${what}`, async (t) => {
    const { client, requests } = await createClientAgainst(t, answer, what === 'no answer' ? 1_000 : undefined);
    assert.equal(summarize(await client.revokeSession('sess_1')), revoke);
    assert.equal(requests.length, 1, 'a write is sent once');
    assert.equal(summarize(await client.getSession('sess_1')), get);
    assert.ok(requests.length <= 3, 'a read is tried again once at most');
  });
}

test('retries a read after a network error, not after a definite response', async (t) => {
  const faultyClient = await createClientAgainst(t, (request, response, attempt) =>
    (attempt === 1 ? errorResponse(500, 'internal_clerk_error') : json(200, session()))(request, response, attempt),
  );
  assert.equal((await faultyClient.client.getSession('sess_1')).ok, true);
  const rateLimitedClient = await createClientAgainst(
    t,
    errorResponse(429, 'too_many_requests', { 'retry-after': '7' }),
  );
  const outcome = await rateLimitedClient.client.getSession('sess_1');
  assert.equal(rateLimitedClient.requests.length, 1);
  assert.deepEqual(outcome, {
    ok: false,
    reason: 'unconfirmed',
    detail: 'status 429 too_many_requests',
    status: 429,
    code: 'too_many_requests',
    retryAfter: 7,
    traceId: 'trace',
  });
});

test('reads a response only up to the size limit', async (t) => {
  const { client } = await createClientAgainst(t, json(200, { ...session(), padding: 'x'.repeat(1_100_000) }));
  const outcome = await client.getSession('sess_1');
  assert.match(outcome.ok || outcome.reason !== 'unconfirmed' ? '' : outcome.detail, /exceeds 1048576 bytes/);
});

test('keeps ids out of the path', async (t) => {
  const { client, requests } = await createClientAgainst(t, errorResponse(404, 'resource_not_found'));
  await client.getUser('../v1/sessions?x=#');
  await client.createSignInToken('user_1', 86_400);
  await client.listSessions({ userId: 'user_1', status: 'active', limit: 5 });
  assert.deepEqual(
    requests.map(({ method, url }) => `${method} ${url}`),
    [
      'GET /prefix/v1/users/..%2Fv1%2Fsessions%3Fx%3D%23',
      'POST /prefix/v1/sign_in_tokens',
      'GET /prefix/v1/sessions?user_id=user_1&limit=5&offset=0&paginated=true&status=active',
    ],
  );
  for (const { headers } of requests)
    assert.deepEqual([headers.authorization, headers['clerk-api-version']], [`Bearer ${SECRET_KEY}`, '2026-05-12']);
  assert.equal(requests[1]!.body, '{"user_id":"user_1","expires_in_seconds":86400}');
});

test('returns an outcome when the provider is unreachable', async () => {
  const client = createProviderClient({ apiUrl: 'http://127.0.0.1:1', secretKey: SECRET_KEY });
  assert.equal(summarize(await client.getUser('user_1')), 'unconfirmed');
});

test('calls the embedded provider over the network and within the process', async (t) => {
  const app = await startIdentityApp(t);
  const externalClient = createProviderClient({ apiUrl: `${app.url}/_idp`, secretKey: SECRET_KEY });
  for (const client of [externalClient, app.identity.client]) {
    const person = (
      await callBackend(app.url, 'POST', '/users', { email_address: [createEmail()], skip_password_requirement: true })
    ).body;
    const user = await client.getUser(person.id);
    assert.ok(user.ok && user.value.id === person.id);
    assert.equal(summarize(await client.getUser('user_nobody')), 'not_found');
    const ticket = await client.createSignInToken(person.id, 60);
    assert.ok(ticket.ok);
    const unused = await client.createSignInToken(person.id, 60);
    assert.ok(unused.ok);
    const signedIn = await new TestBrowser(app.url).call('POST', '/client/sign_ins', {
      strategy: 'ticket',
      ticket: ticket.value.token,
    });
    const sessionId: string = signedIn.body.response.created_session_id;
    assert.equal(
      summarize(await client.revokeSignInToken(ticket.value.id)),
      'conflict sign_in_token_cannot_be_revoked_code',
    );
    assert.equal(summarize(await client.revokeSignInToken(unused.value.id)), 'ok');
    assert.equal(summarize(await client.revokeSignInToken('sit_none')), 'not_found');
    const listed = await client.listSessions({ userId: person.id });
    assert.ok(listed.ok && listed.value.total_count === 1 && listed.value.data[0]!.id === sessionId);
    assert.equal(summarize(await client.revokeSession(sessionId)), 'ok');
    const ended = await client.getSession(sessionId);
    assert.ok(ended.ok && ended.value.status === 'revoked');
    assert.equal(summarize(await client.revokeSession(sessionId)), 'conflict invalid_action_for_session');
  }
});
