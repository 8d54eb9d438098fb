import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { RouteOptions } from 'fastify';
import { createApp } from '../src/app.ts';
import { settings } from '../src/config/settings.ts';
import { createLogger } from '../src/platform/http/logger.ts';
import { createTestDatabase } from './support/database.ts';
import { sendRequest, SITE, startIdentityApp, TestBrowser } from './support/identity.ts';
import { signInMember } from './support/member-tables.ts';
import { isRead, recordRoutes } from './support/record-routes.ts';
import { startService } from './support/service.ts';
import { findUnboundedWrites, getBytesPerDay, listWriteRoutes, sumBytesPerDay } from '../tools/describe-writes.ts';
import type { TestScope } from './support/test-scope.ts';

/** Every write route under `/api` with the description of its guard. Add a new write here. */
const WRITES = `
DELETE /api/accounts/:id              editor, not sample-user
DELETE /api/alerts/:id                editor, not demo-account, demo-tour, sample-user
DELETE /api/api-keys/:id              editor, not demo-account, sample-user
DELETE /api/assistant/conversations   editor, not demo-account, demo-tour, sample-user
DELETE /api/assistant/conversations/:id  editor, not demo-account, demo-tour, sample-user
DELETE /api/assistant/tokens/:id      editor, not demo-account, sample-user
DELETE /api/connections/:id           editor, not demo-account, demo-tour, sample-user
DELETE /api/holdings/import-columns/:header_id  editor, not sample-user
DELETE /api/internal/demo-access/:id  operator: DEMO_ACCESS_OPERATOR_TOKEN
DELETE /api/investments/holdings/:id  editor, not sample-user
DELETE /api/operator/keys/:id         operator: session of OPERATOR_TOKEN
DELETE /api/operator/members/:id      operator: session of OPERATOR_TOKEN
DELETE /api/operator/session          operator: session of OPERATOR_TOKEN
DELETE /api/watchlist/:id             editor, not demo-tour, sample-user
PATCH /api/accounts/:id               editor, not sample-user
PATCH /api/alerts/:id                 editor, not demo-account, demo-tour, sample-user
PATCH /api/investments/holdings/:id   editor, not sample-user
PATCH /api/portfolio/settings         editor, not sample-user
PATCH /api/watchlist/:id              editor, not demo-tour, sample-user
POST /api/accounts                    editor, not sample-user
POST /api/accounts/:id/keep-duplicate  editor, not demo-account, sample-user
POST /api/accounts/:id/merge          editor, not demo-account, sample-user
POST /api/alerts                      editor, not demo-account, demo-tour, sample-user
POST /api/alerts/read                 editor, not demo-account, demo-tour, sample-user
POST /api/alerts/unsubscribe          open: the code is in the link of a mail
POST /api/analytics/events            editor, not sample-user
POST /api/api-keys                    editor, not demo-account, sample-user; recent sign-in
POST /api/assistant/conversations/:id/stop  editor, not demo-account, demo-tour, sample-user
POST /api/assistant/messages          editor, not demo-account, demo-tour, sample-user
POST /api/assistant/sql               member
POST /api/assistant/tokens            editor, not demo-account, sample-user; recent sign-in
POST /api/billing/cancel              editor, not demo-account, demo-tour, sample-user
POST /api/billing/change              editor, not demo-account, demo-tour, sample-user
POST /api/billing/checkout            editor, not demo-account, demo-tour, sample-user
POST /api/billing/portal              editor, not demo-account, demo-tour, sample-user
POST /api/billing/preview             editor, not demo-account, demo-tour, sample-user
POST /api/billing/resume              editor, not demo-account, demo-tour, sample-user
POST /api/billing/sync                editor, not demo-account, demo-tour, sample-user
POST /api/connections/:id/refresh     editor, not demo-account, demo-tour, sample-user
POST /api/connections/finish          editor, not demo-account, demo-tour, sample-user
POST /api/connections/start           editor, not demo-account, demo-tour, sample-user
POST /api/demo-access/complete        member, without the session gate
POST /api/holdings/import             editor, not sample-user
POST /api/holdings/import/:id/undo    editor, not sample-user
POST /api/internal/demo-access        operator: DEMO_ACCESS_OPERATOR_TOKEN
POST /api/investments/holdings        editor, not sample-user
POST /api/operator/jobs/:id/retry     operator: session of OPERATOR_TOKEN
POST /api/operator/session            operator: OPERATOR_TOKEN
POST /api/referrals/mark-completed    open: its contract requires no credential
POST /api/referrals/track-signup      open: its contract requires no credential
POST /api/sample-portfolio            open: visitors see the sample portfolio before they have an account
POST /api/watchlist                   editor, not demo-tour, sample-user
POST /api/watchlist/import            editor, not demo-tour, sample-user
POST /api/webhooks/bank               open: the bank aggregator signs its deliveries
POST /api/webhooks/brokerage          open: the brokerage aggregator signs its deliveries
POST /api/webhooks/identity           open: the identity provider signs its deliveries
POST /api/webhooks/payments           open: the payment provider signs its deliveries
PUT /api/alerts/mail                  editor, not demo-account, demo-tour, sample-user
PUT /api/analytics/choice             editor, not demo-account, demo-tour, sample-user
PUT /api/dashboard                    editor, not sample-user
PUT /api/operator/flags/:flag         operator: session of OPERATOR_TOKEN
PUT /api/operator/flags/:flag/member  operator: session of OPERATOR_TOKEN
PUT /api/watchlist/order              editor, not demo-tour, sample-user
`;

/** Read routes without authentication. Every other read requires a member or an operator. */
const PUBLIC_READS = [
  '/api/config',
  '/api/plans',
  '/api/logos/:file',
  '/api/logos/registry/:symbol',
  '/api/referrals/validate-referrer',
  '/api/site/documents/:name',
];

/** Read routes that also write, or whose rows the visitors of a shared account must not read. They require an editor. */
const READS_OF_EDITORS: Readonly<Record<string, string>> = {
  '/api/me/export': 'editor, not shared-account; recent sign-in',
  '/api/referrals/get-link': 'editor, not demo-account, sample-user',
};

/** Reads of these paths require an operator. */
const OPERATOR_PATH = /^\/api\/(internal|operator)\//;

/** Returns the pattern of the guard description that a read-only route must have. */
function getExpectedPattern(url: string): RegExp {
  if (PUBLIC_READS.includes(url)) return /^open: /;
  return OPERATOR_PATH.test(url) ? /^operator: / : /^member$/;
}

/** Returns every route of the application. */
async function listRoutes(t: TestScope): Promise<RouteOptions[]> {
  const { database } = await createTestDatabase(t);
  const secret = 'sk_0123456789abcdef0123456789abcdef';
  const { started, routes } = await recordRoutes(() =>
    createApp({
      config: settings.parse({ WORKER: 'off' }),
      secrets: {
        idp_secret_key: secret,
        idp_webhook_secret: 'whsec_c2VjcmV0',
        idp_publishable_key: 'pk',
        connections_key: 'c0'.repeat(32),
      } as never,
      database,
      logger: createLogger('silent'),
      baseUrl: 'http://127.0.0.1:3000',
    }),
  );
  t.onTestFinished(() => started.close());
  await started.http.ready();
  return routes;
}

test('declares a guard on every route under /api', async (t) => {
  const declared = (await listRoutes(t))
    .filter(({ url }) => url.startsWith('/api/'))
    .flatMap(({ method, url, config }) => [method].flat().map((verb) => ({ verb, url, guard: config?.guard })));
  const unguarded = declared.filter(({ guard }) => guard === undefined).map(({ verb, url }) => `${verb} ${url}`);
  assert.deepEqual(unguarded, [], 'set a guard in the config of the route, or openTo(…) with a reason');

  const writes = declared
    .filter(({ verb }) => !isRead(verb))
    .map(({ verb, url, guard }) => `${verb} ${url} ${guard!.description}`);
  assert.deepEqual(writes.sort(), WRITES.trim().replace(/ +/g, ' ').split('\n'));
  const reads = declared.filter(({ verb }) => isRead(verb));
  assert.ok(reads.length > 20);
  for (const { verb, url, guard } of reads) {
    const expected = READS_OF_EDITORS[url];
    if (expected) {
      assert.equal(guard!.description, expected, `${verb} ${url}`);
      continue;
    }
    assert.match(guard!.description, getExpectedPattern(url), `${verb} ${url}`);
  }
});

test('documents every route under /api and /v1 except webhooks', async (t) => {
  const routes = (await listRoutes(t)).filter(({ url }) => /^\/(api|v1)\//.test(url));
  const undocumented = routes.filter(({ config }) => config?.definition === undefined).map(({ url }) => url);
  assert.deepEqual(
    undocumented,
    ['/api/webhooks/payments', '/api/webhooks/bank', '/api/webhooks/brokerage', '/api/webhooks/identity'],
    'mount the route by its contract: route(app, routes.name, handler)',
  );
});

test('names a limit and the bytes stored in a day for every route that writes', async (t) => {
  const routes = await listRoutes(t);
  const writes = listWriteRoutes(routes);
  assert.deepEqual(findUnboundedWrites(writes), [], 'add the route to tools/describe-writes.ts and give it a limit');
  for (const path of ['/_idp/v1/me', '/_pay/portal/:token', '/_bank/link/:token', '/mcp', '/v1/messages/count_tokens'])
    assert.ok(
      writes.some(({ name }) => name === `POST ${path}`),
      path,
    );

  const added: RouteOptions = { method: 'POST', url: '/api/added', handler: () => undefined };
  assert.deepEqual(findUnboundedWrites(listWriteRoutes([...routes, added])), ['POST /api/added']);
});

test('accepts the bound of a member on no route that counts by address', () => {
  const storage = { bytes: 1, each: 'member' as const, why: 'the row is replaced' };
  const write = { name: 'POST /api/added', holder: undefined, isOperators: false, storage };
  const rates = [{ limit: 1, windowMs: 60_000 }];
  assert.equal(getBytesPerDay({ ...write, limit: { per: 'member', rates } }), 1);
  assert.equal(getBytesPerDay({ ...write, limit: { per: 'address', rates } }), undefined);
});

test('counts a limit or bound that routes share once in the total', () => {
  const write = { holder: undefined, isOperators: false };
  const shared = { limit: 10, windowMs: 86_400_000 };
  const own = { limit: 1, windowMs: 86_400_000 };
  const replaced = { bytes: 500, each: 'member' as const, why: '' };
  const add = (bytes: number) => ({ bytes, each: 'request' as const, why: '' });
  const writes = [
    { ...write, name: 'a', limit: { per: 'member' as const, rates: [shared] }, storage: add(2) },
    { ...write, name: 'b', limit: { per: 'member' as const, rates: [shared] }, storage: add(3) },
    { ...write, name: 'c', limit: { per: 'member' as const, rates: [shared, own] }, storage: add(7) },
    { ...write, name: 'd', limit: { per: 'member' as const, rates: [shared] }, storage: replaced },
    { ...write, name: 'e', limit: { per: 'member' as const, rates: [shared] }, storage: replaced },
    { ...write, name: 'f', limit: { per: 'address' as const, rates: [own] }, storage: add(1_000) },
  ];
  assert.equal(sumBytesPerDay(writes, 'member'), 10 * 3 + 7 + 500);
});

type LimitedCall = [method: string, path: string, limit: number];

/** Returns the calls of the writing routes, with any value for each parameter and with the fewest requests of a rate. */
const listLimited = (routes: readonly RouteOptions[]): LimitedCall[] =>
  listWriteRoutes(routes)
    .filter(({ holder }) => holder === undefined)
    .map(({ name, limit }) => {
      const [method = '', path = ''] = name.replaceAll(/:\w+/g, 'x').split(' ');
      return [method, path, Math.min(...limit!.rates.flatMap((rate) => (rate ? [rate.limit] : [])))];
    });

/** Returns the names of the routes under `/api` that count by member. */
const listOfMembers = (routes: readonly RouteOptions[]): ReadonlySet<string> =>
  new Set(
    listWriteRoutes(routes)
      .filter(({ name, limit }) => limit?.per === 'member' && name.includes(' /api/'))
      .map(({ name }) => name.replaceAll(/:\w+/g, 'x')),
  );

test('answers 429 beyond the limit of a member on every route under /api that names it', async (t) => {
  const { started: service, routes } = await recordRoutes(() =>
    startService({ WORKER: 'off', BASE_URL: SITE, API_RATE_LIMIT: '2' }),
  );
  t.onTestFinished(() => service.stop());
  // The sign-in sends two requests.
  const { call } = await signInMember(service);
  const ofMembers = listOfMembers(routes);
  assert.ok(ofMembers.size > 30);
  for (const name of ofMembers) {
    const [method = '', path = ''] = name.split(' ');
    assert.equal((await call(method, path)).status, 429, name);
  }
});

test('answers 429 beyond the limits of the identity provider on every route that names one', async (t) => {
  const limits = { requestsPerMember: 1, signInPerAddress: 1, signUpPerAddress: 1 };
  const { started: app, routes } = await recordRoutes(() => startIdentityApp(t, { embedded: { limits } }));
  const browser = new TestBrowser(app.url);
  const { sessionId } = await browser.signUp();
  assert.equal((await browser.call('GET', '/me')).status, 200);
  await browser.call('POST', '/client/sign_ins', {});
  const calls = listLimited(routes).filter(([, path]) => path.startsWith('/_idp/'));
  assert.ok(calls.length > 30);
  for (const [method, path] of calls) {
    // Only the session in the path must exist. A method override takes either value.
    const target = path.slice('/_idp/v1'.length).replace('/client/sessions/x', `/client/sessions/${sessionId}`);
    const override = method === 'POST' ? ['', '?_method=DELETE', '?_method=PATCH'] : [''];
    const statuses: number[] = [];
    for (const query of override) statuses.push((await browser.call(method, `${target}${query}`, {})).status);
    assert.ok(statuses.includes(429), `${method} ${path}: ${statuses.join(', ')}`);
  }
});

test('answers 429 beyond the limit on every other route that names one', async (t) => {
  const { started: service, routes } = await recordRoutes(() =>
    startService({
      WORKER: 'off',
      BASE_URL: SITE,
      SANDBOX: 'on',
      TOKEN_COUNT_RATE_LIMITS: '1,1,1,1',
      REFERRAL_RATE_LIMITS: '1000,1,1000',
      DEMO_ACCESS_RATE_LIMIT: '1',
    }),
  );
  t.onTestFinished(() => service.stop());
  const { call } = await signInMember(service);
  const { token } = (await call('POST', '/api/assistant/tokens', { name: 'Test' })).body;
  const getHeaders = (path: string): Record<string, string> => {
    if (path.startsWith('/mcp')) return { authorization: `Bearer ${token}` };
    if (path.startsWith('/v1/')) return { 'x-api-key': service.firstRun.api_key };
    return { origin: SITE };
  };
  const ofMembers = listOfMembers(routes);
  const calls = listLimited(routes).filter(
    ([method, path]) => !path.startsWith('/_idp/') && !ofMembers.has(`${method} ${path}`),
  );
  for (const path of ['/_pay/portal/x', '/_bank/link/x', '/_brokerage/portal/x', '/api/operator/session', '/mcp'])
    assert.ok(
      calls.some(([, walked]) => walked === path),
      path,
    );
  for (const [method, path, limit] of calls) {
    let status = 0;
    // Routes with a common limit may have used it up before.
    for (let sent = 0; sent <= limit && status !== 429; sent += 1)
      status = (await sendRequest(`${service.url}${path}`, method, method === 'GET' ? undefined : {}, getHeaders(path)))
        .status;
    assert.equal(status, 429, `${method} ${path}`);
  }
});
