import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { redeemTicket } from './support/demo-viewer.ts';
import { type ApiResponse, sendRequest, SITE, TestBrowser } from './support/identity.ts';
import { getRouteNames, isRead, recordRoutes } from './support/record-routes.ts';
import { startService, type TestService } from './support/service.ts';

type Visitor = Awaited<ReturnType<typeof redeemTicket>>;

/** Writes that the sample user may call: its own browser's session, and a read by SQL. */
const ALLOWED = new Set([
  'DELETE /_idp/v1/client/sessions',
  'POST /_idp/v1/client/sessions',
  'POST /_idp/v1/client/sessions/:id/end',
  'POST /_idp/v1/client/sessions/:id/remove',
  'POST /_idp/v1/client/sessions/:id/tokens',
  'POST /_idp/v1/client/sessions/:id/touch',
  'POST /api/assistant/sql',
  'POST /api/sample-portfolio',
]);

/** Routes that take another credential than a member's, or none. */
const OTHER_CREDENTIAL =
  /^\w+ (\/_idp\/v1\/(users|sessions|sign_in_tokens|invitations|verify|stop_email_change|client\/sign_)|\/api\/(internal|webhooks|alerts\/unsubscribe|referrals\/(mark|track)|demo-access|operator)|\/v1\/)/;

let service: TestService;
let routes: string[];
let sampleId: string;
let visitor: Visitor;
const openSample = (body?: object, headers: Record<string, string> = {}) =>
  sendRequest(`${service.url}/api/sample-portfolio`, 'POST', body, headers);
const visit = async (): Promise<Visitor> => redeemTicket(service, (await openSample()).body.ticket as string);

beforeAll(async () => {
  const settings = { BASE_URL: SITE, SANDBOX: 'on', WORKER: 'off', DEMO_ACCESS_RATE_LIMIT: '9999' };
  const { started, routes: declared } = await recordRoutes(() => startService(settings));
  service = started;
  routes = getRouteNames(declared).filter((name) => /^\w+ \/(api|_idp|v1)\//.test(name) && !name.startsWith('HEAD'));
  sampleId = (await sendRequest(`${service.url}/api/config`, 'GET')).body.sample_user.idp_user_id as string;
  visitor = await visit();
});
afterAll(() => service.stop());

/** Returns a digest of each table with data of a person. */
async function digestTables(): Promise<unknown> {
  const tables = await service.database.owner<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'idp')
        and c.relname not in ('webhook_messages', 'identity_webhook_deliveries') order by 1`,
  );
  const digests = tables.map(
    ({ name }) => `select '${name}' as name, count(*) as rows, sum(hashtextextended(t::text, 0)) as digest
    from ${name} t`,
  );
  return service.database.owner(`${digests.join(' union all ')} order by name`);
}

test('signs a visitor in as the sample user with data and nobody else', async () => {
  const { body: me } = await visitor.call('GET', '/api/me');
  assert.deepEqual([me.idp_user_id, me.is_sample_user, me.is_demo_account], [sampleId, true, false]);
  assert.notEqual(sampleId, service.firstRun.demo_account_idp_user_id);
  assert.ok(!service.firstRun.members.some(({ idp_user_id: id }) => id === sampleId));
  const { body: holdings } = await visitor.call('GET', '/api/investments/holdings');
  const { body: list } = await visitor.call('GET', '/api/watchlist');
  assert.ok(holdings.holdings.length > 0 && list.item_count > 5 && list.locked_count === 0);
});

test('gives no session of another user when the request names one', async () => {
  const { idp_user_id: other } = service.firstRun.members[0]!;
  const demo = service.firstRun.demo_account_idp_user_id;
  const attacks: (readonly [object, Record<string, string>])[] = [
    [{ user_id: other }, {}],
    [{ idp_user_id: demo, sampleUserId: demo, expires_in_seconds: 1e8 }, {}],
    [{ __proto__: { sampleUserId: other } }, { 'x-member': other, 'x-user-id': other }],
    [{}, { authorization: `Bearer ${other}`, cookie: `__session=${other}; __client=${other}` }],
  ];
  for (const [body, headers] of attacks) {
    const opened = await openSample(body, headers);
    if (opened.status !== 201) continue;
    const { call } = await redeemTicket(service, opened.body.ticket as string);
    assert.equal((await call('GET', '/api/me')).body.idp_user_id, sampleId);
  }
  for (const query of [`?user_id=${other}`, `?idp_user_id=${demo}`]) {
    const opened = await sendRequest(`${service.url}/api/sample-portfolio${query}`, 'POST');
    const { call } = await redeemTicket(service, opened.body.ticket as string);
    assert.equal((await call('GET', '/api/me')).body.idp_user_id, sampleId);
  }
});

test('creates one session per ticket and none beside a session that exists', async () => {
  const ticket = (await openSample()).body.ticket as string;
  await redeemTicket(service, ticket);
  const again = await new TestBrowser(service.url).call('POST', '/client/sign_ins', { strategy: 'ticket', ticket });
  assert.deepEqual([again.status, again.body.errors[0].code], [400, 'sign_in_token_already_used_code']);
  const member = new TestBrowser(service.url);
  const { email, password } = service.firstRun.members[0]!;
  assert.equal((await member.call('POST', '/client/sign_ins', { identifier: email, password })).status, 200);
  const other = (await openSample()).body.ticket as string;
  const refused = await member.call('POST', '/client/sign_ins', { strategy: 'ticket', ticket: other });
  assert.deepEqual([refused.status, refused.body.errors[0].code], [400, 'session_exists']);
});

test('rejects password sign-ins to the sample user even when a password is set', async () => {
  const { email, password } = service.firstRun.members[0]!;
  await service.database.owner(
    `update idp.users set password_hash = (select password_hash from idp.users where email = $2) where id = $1`,
    [sampleId, email],
  );
  const browser = new TestBrowser(service.url);
  const signIn = await browser.call('POST', '/client/sign_ins', { identifier: 'sample@example.com', password });
  assert.equal(signIn.status, 422);
});

const createBodyByRoute: Readonly<Record<string, object>> = {
  'PATCH /_idp/v1/me': { first_name: 'Mallory' },
  'PATCH /_idp/v1/me/metadata': { unsafe_metadata: '{"a":1}' },
  'POST /_idp/v1/me': { first_name: 'Mallory' },
  'POST /_idp/v1/me/metadata': { unsafe_metadata: '{"a":1}' },
  'POST /_idp/v1/me/change_password': { current_password: 'any', new_password: 'correct horse battery' },
  'POST /api/api-keys': { name: 'Mine' },
  'POST /api/assistant/tokens': { name: 'Mine' },
  'POST /api/connections/start': { kind: 'bank' },
  'POST /api/billing/checkout': { tier: 'pro' },
  'POST /api/watchlist': { symbol: 'INTC' },
};
const METHOD_OVERRIDES: Readonly<Record<string, string>> = {
  'POST /_idp/v1/me': '?_method=PATCH',
  'POST /_idp/v1/me/email_addresses/:id': '?_method=DELETE',
  'POST /_idp/v1/me/passkeys/:id': '?_method=DELETE',
  'POST /_idp/v1/me/metadata': '?_method=PATCH',
};

test('refuses every write of the sample user with a named reason and changes nothing', async () => {
  const writes = routes.filter((route) => !isRead(route.split(' ')[0]!) && !ALLOWED.has(route));
  assert.ok(writes.length > 40);
  const before = await digestTables();
  const send = (route: string): Promise<ApiResponse> => {
    const [method, url] = route.split(' ') as [string, string];
    const path = url.replace(':id', visitor.sessionId).replace(/:\w+/, 'x') + (METHOD_OVERRIDES[route] ?? '');
    const body = createBodyByRoute[route] ?? {};
    return url.startsWith('/_idp/v1')
      ? visitor.browser.call(method, path.slice('/_idp/v1'.length), body)
      : visitor.call(method, path, method === 'DELETE' || isRead(method) ? undefined : body);
  };
  for (const route of [
    ...writes,
    'GET /_idp/v1/me/sessions/active',
    'GET /api/me/export',
    'GET /api/referrals/get-link',
  ]) {
    const response = await send(route);
    const code = response.body?.code ?? response.body?.errors?.[0]?.code;
    const shown = `${route} answered ${response.status} ${code}`;
    assert.ok(response.status >= 400 && response.status < 500, shown);
    if (OTHER_CREDENTIAL.test(route)) continue;
    // What members do for themselves has the code of the demo account.
    if (route.includes(' /_idp/')) assert.equal(`${response.status} ${code}`, '403 demo_account', shown);
    else
      assert.equal(
        `${response.status} ${code}`,
        route === 'GET /api/me/export' ? '403 DEMO_ACCOUNT' : '403 DEMO_MODE',
        shown,
      );
  }
  assert.deepEqual(await digestTables(), before);
});

test('keeps visitors apart when several open the sample at once', async () => {
  const visitors = await Promise.all(Array.from({ length: 8 }, visit));
  assert.equal(new Set(visitors.map(({ sessionId }) => sessionId)).size, 8);
  const [first, ...others] = visitors as [Visitor, ...Visitor[]];
  for (const path of ['end', 'remove', 'touch', 'tokens'])
    assert.equal(
      (await first.browser.call('POST', `/client/sessions/${others[0]!.sessionId}/${path}`, {})).status,
      404,
    );
  assert.equal((await first.browser.call('POST', `/client/sessions/${first.sessionId}/end`, {})).status, 200);
  for (const { call } of others) assert.equal((await call('GET', '/api/me')).status, 200);
});

test('offers no sample when SAMPLE_DATA is off', async () => {
  const hidden = await startService({ SAMPLE_DATA: 'off', WORKER: 'off' }, service.database);
  try {
    assert.equal((await sendRequest(`${hidden.url}/api/config`, 'GET')).body.sample_user, null);
    assert.equal((await sendRequest(`${hidden.url}/api/sample-portfolio`, 'POST')).status, 404);
    const browser = new TestBrowser(hidden.url, hidden.url);
    const { password } = service.firstRun.members[0]!;
    const signIn = await browser.call('POST', '/client/sign_ins', { identifier: 'sample@example.com', password });
    assert.equal(signIn.status, 422);
  } finally {
    await hidden.stop();
  }
});
