// @module-tag slow
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, test } from 'vitest';
import { signInViewer } from './support/demo-viewer.ts';
import type { TestDatabase } from './support/database.ts';
import { eventually } from './support/eventually.ts';
import { findTraces } from './support/find-traces.ts';
import { createEmail, sendRequest, TestBrowser } from './support/identity.ts';
import { type LoggedService, startLoggedService } from './support/logged-service.ts';
import { startOtlpReceiver } from './support/otlp-receiver.ts';
import { getRouteNames, recordRoutes } from './support/record-routes.ts';
import { startRecordedUpstream } from './support/repeating-upstream.ts';
import { createWordSecret, listSecretValues, SECRETS } from './support/secret-settings.ts';
import { createSeededDatabase, startService } from './support/service.ts';

const DATABASE_PASSWORDS = ['authenticator-test', 'service-test', 'assistant-test'];

/** Private values of callers: invalid credentials, and contents. */
const WRONG = {
  bearer: createWordSecret('bearer'),
  apiKey: createWordSecret('sk-wrong-'),
  cookie: createWordSecret('cookie'),
  query: createWordSecret('query'),
  password: createWordSecret('password'),
  ticket: createWordSecret('ticket'),
  signature: createWordSecret('v1,signature'),
  body: createWordSecret('content'),
};

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let upstream: Awaited<ReturnType<typeof startRecordedUpstream>>;
let database: TestDatabase;
let service: LoggedService;
let routes: string[];
/** Values used in the walk, added right where they are used. */
const used: string[] = [];
const rejectionLog: string[] = [];
const responseTexts: string[] = [];
let apiKey: string;

beforeAll(async () => {
  // The simulator seeds the database, since the providers configured later return no data.
  const seeded = await createSeededDatabase();
  ({ database } = seeded);
  apiKey = seeded.firstRun.api_key;
  const { started, routes: declared } = await recordRoutes(() => startService({ WORKER: 'off' }));
  await started.stop();
  const requestedRoutes = getRouteNames(declared).filter(
    (name) => !/^(HEAD|OPTIONS) /.test(name) && !/\.\w+$/.test(name),
  );
  routes = [...requestedRoutes, 'POST /v1/messages/count_tokens', 'GET /v1/models', 'GET /v1/models/:id'];
  receiver = await startOtlpReceiver();
  upstream = await startRecordedUpstream();
  service = await startLoggedService(
    {
      ...SECRETS,
      MAIL_FROM: 'Tally <tally@example.com>',
      PLAID_CLIENT_ID: 'plaid-client',
      SNAPTRADE_CLIENT_ID: 'snaptrade-client',
      SANDBOX: 'on',
      ...Object.fromEntries(
        ['PLAID_BASE_URL', 'SNAPTRADE_BASE_URL', 'POSTHOG_URL', 'ANTHROPIC_BASE_URL'].map((name) => [
          name,
          upstream.url,
        ]),
      ),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      API_RATE_LIMIT: '1000000',
      DEMO_ACCESS_RATE_LIMIT: '1000000',
      REFERRAL_RATE_LIMITS: 'off',
      TOKEN_COUNT_RATE_LIMITS: 'off',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    database,
    { fmp: upstream.url, finnhub: upstream.url },
  );
  // The plans have no prices, so that no test calls the payment provider.
  await service.database.owner(
    'update public.plans set price_minor = null, price_currency = null, price_interval = null',
  );
  await walk();
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([receiver?.close(), upstream?.close(), database?.drop()]);
});

/** Sends one request and stores body and headers of a rejection. */
async function ask(method: string, path: string, headers: Record<string, string>, body?: string): Promise<void> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'x-forwarded-for': `10.1.${rejectionLog.length >> 8}.${rejectionLog.length & 255}`, ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
    ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body }),
  });
  const responseParts = [response.status, JSON.stringify([...response.headers]), await response.text()];
  const text = `${method} ${path.split('?')[0]} ${responseParts.join(' ')}`;
  responseTexts.push(text);
  if (response.status >= 400) rejectionLog.push(text);
}

/** Calls every route with wrong credentials and contents, with broken bodies, and with valid credentials. */
async function walk(): Promise<void> {
  const browser = new TestBrowser(service.url, service.url);
  const password = createWordSecret('Right-password-');
  const { body } = await browser.call('POST', '/client/sign_ups', { email_address: createEmail(), password });
  const fetchToken = async (): Promise<string> => {
    const made = await browser.token(body.response.created_session_id as string);
    used.push(made.split('.')[2]!);
    return made;
  };
  used.push(password, apiKey);
  const strings = { password: WRONG.password, ticket: WRONG.ticket, token: WRONG.ticket, strategy: 'password' };
  const contents = {
    ...strings,
    identifier: `${WRONG.body}@example.com`,
    email_address: `${WRONG.body}@example.com`,
    text: WRONG.body,
    question: WRONG.body,
    name: WRONG.body,
    symbol: 'AAPL',
    symbols: ['AAPL'],
    sql: `select '${WRONG.body}'`,
    model: 'claude-opus-4-6',
    messages: [{ role: 'user', content: WRONG.body }],
    events: [{ event: 'watchlist_viewed', properties: { feature: WRONG.body } }],
  };
  const form = new URLSearchParams(strings).toString();
  const json = { 'content-type': 'application/json' };
  const invalidBody = {
    authorization: `Bearer ${WRONG.bearer}`,
    'x-api-key': WRONG.apiKey,
    cookie: `__client=${WRONG.cookie}`,
    'svix-signature': WRONG.signature,
    'stripe-signature': WRONG.signature,
    'plaid-verification': WRONG.signature,
    'svix-id': 'msg_1',
    'svix-timestamp': String(Math.round(Date.now() / 1000)),
    signature: WRONG.signature,
  };
  let bearerToken = await fetchToken();
  let madeAt = performance.now();
  for (const route of routes) {
    const [method, pattern] = route.split(' ') as [string, string];
    const path = pattern.replace(/:\w+/g, '3f1f9a5e-0000-4000-8000-000000000000').replace('*', 'x');
    const query = `?token=${WRONG.query}&q=${WRONG.query}&__session=${WRONG.query}`;
    if (performance.now() - madeAt > 20_000) {
      bearerToken = await fetchToken();
      madeAt = performance.now();
    }
    const member = { authorization: `Bearer ${bearerToken}` };
    await ask(method, path + query, { ...invalidBody, ...json }, JSON.stringify(contents));
    await ask(method, path, { ...invalidBody, 'content-type': 'application/x-www-form-urlencoded' }, form);
    await ask(method, path, { ...member, ...json }, `{"password": "${WRONG.password}", "text": "${WRONG.body}`);
    await ask(method, path, { ...member, ...json }, JSON.stringify(contents));
    const keys = { authorization: `Bearer ${selectOperatorToken(pattern)}` };
    await ask(method, path, { ...keys, 'x-api-key': apiKey, ...json }, JSON.stringify(contents));
  }
  await callWithOwnSecrets(await fetchToken());
  await callProviders(await fetchToken());
  const jobs = ['forward-analytics', 'market-refresh', 'record-net-worth-snapshots', 'connections-sweep'];
  for (const job of jobs) await service.database.owner('select graphile_worker.add_job($1, $2)', [job, '{}']);
  await eventually(() => receiver.spans().some(({ name }) => name === 'job forward-analytics'));
  await eventually(() => /send-account-mail/.test(service.log()));
}

/** Returns the token of the operator who may call a route. */
function selectOperatorToken(path: string): string {
  if (path.startsWith('/_idp')) return SECRETS.IDP_SECRET_KEY;
  if (path.includes('demo-access')) return SECRETS.DEMO_ACCESS_OPERATOR_TOKEN;
  return path === '/api/operator/revenue' ? SECRETS.REVENUE_OPERATOR_TOKEN : SECRETS.OPERATOR_TOKEN;
}

/** Uses each secret that the service issues, both correctly and where it opens nothing. */
async function callWithOwnSecrets(token: string): Promise<void> {
  const member = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const createCredential = async (path: string, field: 'key' | 'token') =>
    ((await sendRequest(`${service.url}${path}`, 'POST', { name: 'Mine' }, member)).body as Record<string, string>)[
      field
    ]!;
  const key = await createCredential('/api/api-keys', 'key');
  const reader = await createCredential('/api/assistant/tokens', 'token');
  const operator_token = SECRETS.DEMO_ACCESS_OPERATOR_TOKEN;
  const viewer = await signInViewer({ url: service.url, firstRun: { operator_token } }, service.url);
  used.push(key, reader, viewer.invitation.ticket, viewer.browser.cookie.split('=')[1]!);
  const link = JSON.stringify(viewer.invitation);
  await ask('POST', '/api/demo-access/complete', member, link);
  const secondForm = new URLSearchParams({ strategy: 'ticket', ticket: viewer.invitation.ticket });
  await ask(
    'POST',
    '/_idp/v1/client/sign_ins',
    { 'content-type': 'application/x-www-form-urlencoded' },
    `${secondForm}`,
  );
  const session = await fetch(`${service.url}/api/operator/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRETS.OPERATOR_TOKEN}` },
  });
  const cookie = session.headers.get('set-cookie')!.split(';')[0]!;
  used.push(cookie.split('=')[1]!);
  for (const path of ['members', 'flags', `jobs?session=${cookie}`])
    await ask('GET', `/api/operator/${path}`, { cookie });
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  for (const bearer of [reader, key]) {
    const credentials = { ...member, authorization: `Bearer ${bearer}` };
    await ask('POST', '/mcp', { ...credentials, accept: 'application/json, text/event-stream' }, list);
    await ask('GET', `/api/me?token=${bearer}`, credentials);
    await ask('POST', '/v1/messages/count_tokens', { ...credentials, 'x-api-key': bearer }, list);
  }
  const id = 'msg_own';
  const timestamp = String(Math.round(Date.now() / 1000));
  const event = '{"type": "user.created"}';
  const secret = Buffer.from(SECRETS.IDP_WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${event}`).digest('base64');
  used.push(signature);
  const signed = { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` };
  await ask('POST', '/api/webhooks/identity', { ...signed, 'content-type': 'application/json' }, event);
}

/** Triggers the service's calls to others. Each upstream echoes the whole request. */
async function callProviders(token: string): Promise<void> {
  const call = (method: string, path: string, sent?: object) =>
    sendRequest(`${service.url}${path}`, method, sent, { authorization: `Bearer ${token}` });
  for (let turn = 0; turn < 5; turn += 1) {
    await call('GET', `/api/investments/search?q=zyx${turn}`);
    await call('POST', '/api/watchlist', { symbol: `ZYX${turn}` });
    await call('GET', '/api/dashboard/news');
    await call('POST', '/api/connections/start', { kind: turn % 2 === 0 ? 'bank' : 'brokerage' });
    await call('POST', '/api/assistant/messages', { text: WRONG.body });
  }
}

const allSecrets = (): string[] => [...listSecretValues(), ...Object.values(WRONG), ...used];

/** Searches all lines at once, and single lines only after a match. */
function assertNone(location: string, lines: readonly string[], secrets: readonly string[]): void {
  if (findTraces(lines.join('\n'), secrets).length === 0) return;
  for (const line of lines) assert.deepEqual(findTraces(line, secrets), [], `${location}: ${line.slice(0, 600)}`);
}

test('reaches every route, rejections and every upstream with a key in the walk', () => {
  assert.ok(
    routes.length > 100 && rejectionLog.length > routes.length,
    `${routes.length} routes, ${rejectionLog.length}`,
  );
  const sent = upstream.text();
  for (const name of [
    'PLAID_SECRET',
    'FMP_API_KEY',
    'FINNHUB_API_KEY',
    'POSTHOG_API_KEY',
    'ANTHROPIC_API_KEY',
  ] as const)
    assert.ok(sent.includes(SECRETS[name]), `${name} was sent nowhere`);
  assert.ok(service.log().split('\n').length > routes.length);
  assert.ok(receiver.spans().length > routes.length);
  assert.deepEqual(findTraces(`… ${WRONG.body} …`, allSecrets()), [WRONG.body], 'what is planted is found');
});

test('writes no secret, credential, query or body to logs, metrics or traces', async () => {
  const { body } = await sendRequest(`${service.url}/metrics`, 'GET', undefined, {
    authorization: `Bearer ${SECRETS.METRICS_TOKEN}`,
  });
  assert.match(String(body), /tally_http_requests_total/);
  const textByLocation = { log: service.log(), metrics: String(body), traces: receiver.text() };
  for (const [location, text] of Object.entries(textByLocation))
    assertNone(location, text.split('\n'), [...allSecrets(), ...DATABASE_PASSWORDS]);
});

test('repeats no credential in a rejection and no setting in any response', () => {
  const { body: _contents, ...credentials } = WRONG;
  const secrets = [...Object.values(credentials), ...used, ...DATABASE_PASSWORDS];
  assertNone('a rejection', rejectionLog, secrets);
  assertNone('an answer', responseTexts, [...listSecretValues(), ...DATABASE_PASSWORDS]);
});
