import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { RouteOptions } from 'fastify';
import { createApp } from '../src/app.ts';
import { settings } from '../src/config/settings.ts';
import { createLogger } from '../src/platform/http/logger.ts';
import { createTestDatabase } from './support/database.ts';
import { isRead, recordRoutes } from './support/record-routes.ts';
import type { TestScope } from './support/test-scope.ts';

/** Writes under `/api` with their allowed callers. A new write is added here with its declared guard. */
const WRITES = `
DELETE /api/accounts/:id              editor, not sample-user
DELETE /api/api-keys/:id              editor, not demo-account, sample-user
DELETE /api/assistant/conversations   editor, not demo-account, demo-tour, sample-user
DELETE /api/assistant/conversations/:id  editor, not demo-account, demo-tour, sample-user
DELETE /api/assistant/tokens/:id      editor, not demo-account, sample-user
DELETE /api/connections/:id           editor, not demo-account, demo-tour, sample-user
DELETE /api/internal/demo-access/:id  operator: DEMO_ACCESS_OPERATOR_TOKEN
DELETE /api/investments/holdings/:id  editor, not sample-user
DELETE /api/watchlist/:id             editor, not demo-tour, sample-user
PATCH /api/accounts/:id               editor, not sample-user
PATCH /api/investments/holdings/:id   editor, not sample-user
PATCH /api/watchlist/:id              editor, not demo-tour, sample-user
POST /api/accounts                    editor, not sample-user
POST /api/accounts/:id/keep-duplicate  editor, not demo-account, sample-user
POST /api/accounts/:id/merge          editor, not demo-account, sample-user
POST /api/analytics/events            member
POST /api/api-keys                    editor, not demo-account, sample-user
POST /api/assistant/conversations/:id/stop  editor, not demo-account, demo-tour, sample-user
POST /api/assistant/messages          editor, not demo-account, demo-tour, sample-user
POST /api/assistant/sql               member
POST /api/assistant/tokens            editor, not demo-account, sample-user
POST /api/billing/cancel              editor, not demo-account, demo-tour, sample-user
POST /api/billing/change              editor, not demo-account, demo-tour, sample-user
POST /api/billing/checkout            editor, not demo-account, demo-tour, sample-user
POST /api/billing/portal              editor, not demo-account, demo-tour, sample-user
POST /api/billing/preview             editor, not demo-account, demo-tour, sample-user
POST /api/billing/resume              editor, not demo-account, demo-tour, sample-user
POST /api/billing/sync                editor, not demo-account, demo-tour, sample-user
POST /api/connections/finish          editor, not demo-account, demo-tour, sample-user
POST /api/connections/start           editor, not demo-account, demo-tour, sample-user
POST /api/demo-access/complete        member, without the session gate
POST /api/internal/demo-access        operator: DEMO_ACCESS_OPERATOR_TOKEN
POST /api/investments/holdings        editor, not sample-user
POST /api/referrals/mark-completed    open: its contract requires no credential
POST /api/referrals/track-signup      open: its contract requires no credential
POST /api/watchlist                   editor, not demo-tour, sample-user
POST /api/watchlist/import            editor, not demo-tour, sample-user
POST /api/webhooks/bank               open: the bank aggregator signs its deliveries
POST /api/webhooks/brokerage          open: the brokerage aggregator signs its deliveries
POST /api/webhooks/identity           open: the identity provider signs its deliveries
POST /api/webhooks/payments           open: the payment provider signs its deliveries
PUT /api/analytics/choice             editor, not demo-account, demo-tour, sample-user
PUT /api/dashboard                    editor, not sample-user
PUT /api/watchlist/order              editor, not demo-tour, sample-user
`;

/** Reads that anyone may send. Every other read requires a member or an operator. */
const OPEN_READS = [
  '/api/config',
  '/api/logos/:file',
  '/api/logos/registry/:symbol',
  '/api/referrals/validate-referrer',
];

/** Reads with an effect, which therefore have an editor's guard. */
const READS_WITH_EFFECT: Readonly<Record<string, string>> = {
  '/api/referrals/get-link': 'editor, not demo-account, sample-user',
};

/** Reads under these addresses require an operator. */
const INTERNAL = /^\/api\/(internal|operator)\//;

/** Returns the description of the guard that a read without an effect must declare. */
function getExpectedGuard(url: string): RegExp {
  if (OPEN_READS.includes(url)) return /^open: /;
  return INTERNAL.test(url) ? /^operator: / : /^member$/;
}

/** Returns every declared route of the whole application. */
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
    .flatMap(({ method, url, config }) => [method].flat().map((name) => ({ name, url, guard: config?.guard })));
  const undecided = declared.filter(({ guard }) => guard === undefined).map(({ name, url }) => `${name} ${url}`);
  assert.deepEqual(undecided, [], 'name a guard in the route’s config, or openTo(…) with the reason');

  const writes = declared
    .filter(({ name }) => !isRead(name))
    .map(({ name, url, guard }) => `${name} ${url} ${guard!.description}`);
  assert.deepEqual(writes.sort(), WRITES.trim().replace(/ +/g, ' ').split('\n'));
  const reads = declared.filter(({ name }) => isRead(name));
  assert.ok(reads.length > 20);
  for (const { name, url, guard } of reads) {
    const effect = READS_WITH_EFFECT[url];
    if (effect) {
      assert.equal(guard!.description, effect, `${name} ${url}`);
      continue;
    }
    assert.match(guard!.description, getExpectedGuard(url), `${name} ${url}`);
  }
});

test('documents every route under /api and /v1 except those for other services', async (t) => {
  const routes = (await listRoutes(t)).filter(({ url }) => /^\/(api|v1)\//.test(url));
  const undescribed = routes.filter(({ config }) => config?.definition === undefined).map(({ url }) => url);
  assert.deepEqual(
    undescribed,
    ['/api/webhooks/payments', '/api/webhooks/bank', '/api/webhooks/brokerage', '/api/webhooks/identity'],
    'mount it by its contract: route(app, routes.name, handler)',
  );
});
