import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { type DemoViewer, signInViewer } from './support/demo-viewer.ts';
import { type ApiResponse, SITE, TestBrowser } from './support/identity.ts';
import { isRead, getRouteNames, recordRoutes } from './support/record-routes.ts';
import { startService, type TestService } from './support/service.ts';

/**
 * The decision for each route that the demo account may call to write, or to read with an effect. A new route needs an
 * entry here, and the test calls it with the demo session.
 * `allowed`: ordinary edits and its own sign-out. `refused`: 403 DEMO_ACCOUNT without a change. `closed`: the route
 * requires another credential than a member's, or this browser is already signed in; nothing changes.
 */
const DECISIONS = `
DELETE /_idp/v1/client/sessions        allowed
DELETE /_idp/v1/me                     refused
DELETE /_idp/v1/me/email_addresses/:id  refused
DELETE /_idp/v1/me/passkeys/:id        refused
DELETE /_idp/v1/me/totp                refused
DELETE /_idp/v1/users/:id              closed
DELETE /api/accounts/:id               allowed
DELETE /api/alerts/:id                 refused
DELETE /api/api-keys/:id               refused
DELETE /api/assistant/conversations    refused
DELETE /api/assistant/conversations/:id  refused
DELETE /api/assistant/tokens/:id       refused
DELETE /api/connections/:id            refused
DELETE /api/holdings/import-columns/:header_id  allowed
DELETE /api/internal/demo-access/:id   closed
DELETE /api/investments/holdings/:id   allowed
DELETE /api/operator/keys/:id          closed
DELETE /api/operator/members/:id       closed
DELETE /api/operator/session           closed
DELETE /api/watchlist/:id              allowed
GET /_idp/v1/me/sessions/active        refused
GET /api/me/export                     refused
GET /api/referrals/get-link            refused
PATCH /_idp/v1/me                      refused
PATCH /_idp/v1/me/metadata             refused
PATCH /_idp/v1/me/passkeys/:id         refused
PATCH /api/accounts/:id                allowed
PATCH /api/alerts/:id                  refused
PATCH /api/investments/holdings/:id    allowed
PATCH /api/portfolio/settings          allowed
PATCH /api/watchlist/:id               allowed
POST /_idp/v1/client/sessions          allowed
POST /_idp/v1/client/sessions/:id/end     allowed
POST /_idp/v1/client/sessions/:id/remove  allowed
POST /_idp/v1/client/sessions/:id/tokens  allowed
POST /_idp/v1/client/sessions/:id/touch   allowed
POST /_idp/v1/client/sessions/:id/verify  refused
POST /_idp/v1/client/sessions/:id/verify/attempt_first_factor  refused
POST /_idp/v1/client/sessions/:id/verify/attempt_second_factor  refused
POST /_idp/v1/client/sessions/:id/verify/prepare_first_factor  refused
POST /_idp/v1/client/sign_ins          closed
POST /_idp/v1/client/sign_ins/:id/attempt_first_factor  closed
POST /_idp/v1/client/sign_ins/:id/reset_password  closed
POST /_idp/v1/client/sign_ins/:id/attempt_second_factor  closed
POST /_idp/v1/client/sign_ups          closed
POST /_idp/v1/invitations              closed
POST /_idp/v1/invitations/:id/revoke   closed
POST /_idp/v1/me                       refused
POST /_idp/v1/me/backup_codes          refused
POST /_idp/v1/me/backup_codes/         refused
POST /_idp/v1/me/change_password       refused
POST /_idp/v1/me/email_addresses       refused
POST /_idp/v1/me/email_addresses/:id   refused
POST /_idp/v1/me/email_addresses/:id/prepare_verification  refused
POST /_idp/v1/me/metadata              refused
POST /_idp/v1/me/passkeys              refused
POST /_idp/v1/me/passkeys/:id          refused
POST /_idp/v1/me/passkeys/:id/attempt_verification  refused
POST /_idp/v1/me/sessions/:id/revoke   refused
POST /_idp/v1/me/totp                  refused
POST /_idp/v1/me/totp/attempt_verification  refused
POST /_idp/v1/sessions/:id/revoke      closed
POST /_idp/v1/sign_in_tokens           closed
POST /_idp/v1/sign_in_tokens/:id/revoke  closed
POST /_idp/v1/stop_email_change        closed
POST /_idp/v1/users                    closed
POST /_idp/v1/verify                   closed
POST /api/accounts                     allowed
POST /api/accounts/:id/keep-duplicate  refused
POST /api/accounts/:id/merge           refused
POST /api/alerts                       refused
POST /api/alerts/read                  refused
POST /api/alerts/unsubscribe           closed
POST /api/analytics/events             allowed
POST /api/api-keys                     refused
POST /api/assistant/conversations/:id/stop  refused
POST /api/assistant/messages           refused
POST /api/assistant/sql                allowed
POST /api/assistant/tokens             refused
POST /api/billing/cancel               refused
POST /api/billing/change               refused
POST /api/billing/checkout             refused
POST /api/billing/portal               refused
POST /api/billing/preview              refused
POST /api/billing/resume               refused
POST /api/billing/sync                 refused
POST /api/connections/:id/refresh      refused
POST /api/connections/finish           refused
POST /api/connections/start            refused
POST /api/demo-access/complete         allowed
POST /api/internal/demo-access         closed
POST /api/holdings/import              allowed
POST /api/holdings/import/:id/undo     allowed
POST /api/investments/holdings         allowed
POST /api/operator/jobs/:id/retry      closed
POST /api/operator/session             closed
POST /api/referrals/mark-completed     allowed
POST /api/referrals/track-signup       allowed
POST /api/sample-portfolio             allowed
POST /api/watchlist                    allowed
POST /api/watchlist/import             allowed
POST /api/webhooks/bank                closed
POST /api/webhooks/brokerage           closed
POST /api/webhooks/identity            closed
POST /api/webhooks/payments            closed
POST /v1/messages/count_tokens         closed
PUT /api/alerts/mail                   refused
PUT /api/analytics/choice              refused
PUT /api/dashboard                     allowed
PUT /api/operator/flags/:flag          closed
PUT /api/operator/flags/:flag/member   closed
PUT /api/watchlist/order               allowed
`;

const decidedRoutes = new Map(
  DECISIONS.trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/) as [route: string, decision: 'allowed' | 'refused' | 'closed']),
);

/** Ids that the account's own edits need, read again before each edit. */
interface MemberData {
  account: string;
  holding: string;
  items: string[];
  /** Id of the last import of holdings. */
  lastImport: string | undefined;
}

/** Bodies without which a route would reject the request for another reason. The provider's bodies are forms. */
const createBodyByRoute: Record<string, (memberData: MemberData, who: DemoViewer) => Record<string, unknown>> = {
  'PATCH /_idp/v1/me': () => ({ first_name: 'Mallory' }),
  'PATCH /_idp/v1/me/metadata': () => ({ unsafe_metadata: '{"a":1}' }),
  'PATCH /api/accounts/:id': () => ({ name: 'Renamed' }),
  'PATCH /api/investments/holdings/:id': () => ({ quantity: 3 }),
  'POST /_idp/v1/client/sign_ins': () => ({ identifier: 'free@example.com', password: 'correct horse battery' }),
  'POST /_idp/v1/client/sign_ups': () => ({ email_address: 'new@example.com', password: 'correct horse battery' }),
  'POST /_idp/v1/me': () => ({ first_name: 'Mallory' }),
  'POST /_idp/v1/me/change_password': () => ({ current_password: 'any', new_password: 'correct horse battery' }),
  'POST /_idp/v1/client/sign_ins/:id/attempt_first_factor': () => ({
    strategy: 'reset_password_email_code',
    code: 'x',
  }),
  'POST /_idp/v1/client/sign_ins/:id/reset_password': () => ({ password: 'correct horse battery' }),
  'POST /_idp/v1/client/sign_ins/:id/attempt_second_factor': () => ({ strategy: 'totp', code: '123456' }),
  'POST /_idp/v1/client/sessions/:id/verify/attempt_second_factor': () => ({ strategy: 'totp', code: '123456' }),
  'POST /_idp/v1/me/totp/attempt_verification': () => ({ code: '123456' }),
  'POST /_idp/v1/me/email_addresses': () => ({ email_address: 'new@example.com' }),
  'POST /_idp/v1/verify': () => ({ token: 'link_x.y' }),
  'POST /_idp/v1/stop_email_change': () => ({ token: 'link_x.y' }),
  'POST /_idp/v1/me/metadata': () => ({ unsafe_metadata: '{"a":1}' }),
  'POST /api/accounts': () => ({ name: 'Another' }),
  'POST /api/accounts/:id/merge': () => ({ duplicate_id: '00000000-0000-4000-8000-000000000000' }),
  'PATCH /api/portfolio/settings': () => ({ base_currency: 'EUR' }),
  'PATCH /api/alerts/:id': () => ({ kind: 'above', threshold: 1, repeats: 'once', note: null }),
  'POST /api/alerts': () => ({ symbol: 'INTC', kind: 'above', threshold: 1 }),
  'POST /api/alerts/read': () => ({ ids: ['00000000-0000-4000-8000-000000000000'] }),
  'PUT /api/alerts/mail': () => ({ enabled: true }),
  'PATCH /api/watchlist/:id': () => ({ position: 2 }),
  'POST /api/analytics/events': () => ({ events: [{ event: 'plans_viewed', properties: {} }] }),
  'POST /api/api-keys': () => ({ name: 'Mine' }),
  'POST /api/assistant/sql': () => ({ sql: 'select count(*) from holdings' }),
  'POST /api/assistant/messages': () => ({ text: 'What is new?' }),
  'POST /api/assistant/tokens': () => ({ name: 'Mine' }),
  'POST /api/billing/change': () => ({ tier: 'max' }),
  'POST /api/billing/checkout': () => ({ tier: 'pro' }),
  'POST /api/billing/preview': () => ({ tier: 'pro' }),
  'POST /api/billing/sync': () => ({}),
  'POST /api/connections/finish': () => ({ attempt_id: '00000000-0000-4000-8000-000000000000' }),
  'POST /api/connections/start': () => ({ kind: 'bank' }),
  'POST /api/demo-access/complete': (_own, { invitation }) => invitation,
  'POST /api/internal/demo-access': () => ({ label: 'For a friend' }),
  'POST /api/investments/holdings': ({ account }) => ({ account_id: account, symbol: 'AMZN', quantity: 1 }),
  'POST /api/holdings/import': () => ({ text: 'Symbol,Quantity\nAMZN,1\n' }),
  'POST /api/referrals/mark-completed': () => ({ referred_idp_id: demo }),
  'POST /api/referrals/track-signup': () => ({ referred_idp_id: demo, referrer_idp_id: 'user_2abc' }),
  'POST /api/watchlist': () => ({ symbol: 'INTC' }),
  'POST /api/watchlist/import': () => ({ text: 'CSCO' }),
  'PUT /api/analytics/choice': () => ({ enabled: false }),
  'PUT /api/dashboard': () => ({ cards: [{ id: 'watchlist' }] }),
  'PUT /api/watchlist/order': ({ items }) => ({ ids: items.toReversed() }),
};

/** Queries sent with the path. The provider's library names the method of a write there. */
const QUERIES: Record<string, string> = {
  'POST /_idp/v1/client/sessions': '?_method=DELETE',
  'POST /_idp/v1/me': '?_method=PATCH',
  'POST /_idp/v1/me/email_addresses/:id': '?_method=DELETE',
  'POST /_idp/v1/me/passkeys/:id': '?_method=DELETE',
  'POST /_idp/v1/me/metadata': '?_method=PATCH',
};

let service: TestService;
let routes: string[];
let viewer: DemoViewer;
let demo: string;
beforeAll(async () => {
  const settings = {
    BASE_URL: SITE,
    SANDBOX: 'on',
    WORKER: 'off',
    API_RATE_LIMIT: '9999',
    DEMO_ACCESS_RATE_LIMIT: '9999',
  };
  const { started, routes: declared } = await recordRoutes(() => startService(settings));
  service = started;
  demo = service.firstRun.demo_account_idp_user_id;
  viewer = await signInViewer(service);
  routes = getRouteNames(declared).filter((name) => /^\w+ \/(api|_idp|v1)\//.test(name) && !name.startsWith('HEAD'));
});
afterAll(() => service.stop());

const getMethod = (route: string): string => route.split(' ')[0]!;
const listWriteRoutes = () => routes.filter((route) => !isRead(getMethod(route)));

async function readMemberData(): Promise<MemberData> {
  const read = async (path: string) => (await viewer.call('GET', path)).body;
  const accountsResponse = await read('/api/accounts');
  const holdingsResponse = await read('/api/investments/holdings');
  const list = await read('/api/watchlist');
  const account = accountsResponse.accounts.find(({ kind }: { kind: string }) => kind === 'manual').id;
  const storedIds = new Set(
    accountsResponse.accounts.flatMap(({ id, kind }: { id: string; kind: string }) => (kind === 'manual' ? id : [])),
  );
  // Manual accounts and holdings disappear while the routes are called.
  const otherHolding = { account_id: account, symbol: 'AMZN', quantity: 1 };
  const holding =
    holdingsResponse.holdings.find(({ account_id: id }: { account_id: string }) => storedIds.has(id))?.id ??
    (await viewer.call('POST', '/api/investments/holdings', otherHolding)).body.holding.id;
  const [lastImport] = await service.database.owner<{ id: string }>(
    'select id from public.holding_imports where idp_id = $1',
    [demo],
  );
  return { account, holding, lastImport: lastImport?.id, items: list.items.map(({ id }: { id: string }) => id) };
}

/** Sends a request to a route as `who`. The path contains their ids. */
async function callAs(who: DemoViewer, route: string, memberData?: MemberData): Promise<ApiResponse> {
  const [method, url] = route.split(' ') as [string, string];
  const [, , area = ''] = url.split('/');
  const ids = {
    accounts: memberData?.account,
    holdings: memberData?.lastImport,
    investments: memberData?.holding,
    watchlist: memberData?.items[0],
  };
  const id = ids[area as keyof typeof ids] ?? who.sessionId;
  const path =
    url.replace(':id', id).replace(':symbol', 'AAPL').replace(':header_id', '0'.repeat(64)).replace(/:\w+/, 'x') +
    (QUERIES[route] ?? '');
  const body = isRead(method) ? undefined : (createBodyByRoute[route]?.(memberData!, who) ?? {});
  return url.startsWith('/_idp/v1')
    ? who.browser.call(method, path.slice('/_idp/v1'.length), body)
    : who.call(method, path, method === 'DELETE' ? undefined : body);
}

/** Returns a digest of each table with data of a person. Request logs and captured events are left out. */
async function digestTables(): Promise<unknown> {
  const tables = await service.database.owner<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'idp')
        and c.relname not in ('webhook_messages', 'identity_webhook_deliveries', 'analytics_events') order by 1`,
  );
  const digests = tables.map(
    ({ name }) => `select '${name}' as name, count(*) as rows, sum(hashtextextended(t::text, 0)) as digest
    from ${name} t`,
  );
  return service.database.owner(`${digests.join(' union all ')} order by name`);
}

const getErrorCode = ({ body }: ApiResponse): string | undefined => body?.code ?? body?.errors?.[0]?.code;
const isRejection = (response: ApiResponse): boolean =>
  response.status === 403 && /^demo_account$/i.test(getErrorCode(response) ?? '');

test('lists a decision for the demo account for each route that writes', () => {
  const undecided = listWriteRoutes().filter((route) => !decidedRoutes.has(route));
  assert.deepEqual(undecided, [], 'decide in the table above what the demo account may do');
  assert.deepEqual(
    [...decidedRoutes.keys()].filter((route) => !routes.includes(route)),
    [],
    'these routes are gone',
  );
});

test('lets the demo account read without effect on routes without a decision', { tags: ['slow'] }, async () => {
  const reads = routes.filter((route) => isRead(getMethod(route)) && !decidedRoutes.has(route));
  assert.ok(reads.length > 25);
  const digestBefore = await digestTables();
  const memberData = await readMemberData();
  for (const route of reads) {
    const response = await callAs(viewer, route, memberData);
    assert.ok(
      !isRejection(response) && response.status < 500,
      `${route} answered ${response.status} ${getErrorCode(response)}`,
    );
    assert.deepEqual(await digestTables(), digestBefore, `${route} has an effect: decide it in the table above`);
  }
});

for (const [route, decision] of decidedRoutes) {
  if (decision === 'allowed') continue;
  test(`returns ‘${decision}’ to the demo account on ${route} and changes nothing`, async () => {
    const digestBefore = await digestTables();
    const memberData = await readMemberData();
    const response = await callAs(viewer, route, memberData);
    const shown = `${response.status} ${JSON.stringify(response.body)}`;
    if (decision === 'refused') assert.ok(isRejection(response), shown);
    else assert.ok(response.status >= 400 && response.status < 500 && !isRejection(response), shown);
    assert.deepEqual(await digestTables(), digestBefore);
  });
}

test('performs the demo account’s allowed edits while another viewer stays signed in', { tags: ['slow'] }, async () => {
  const other = await signInViewer(service);
  const allowed = [...decidedRoutes].filter(([, decision]) => decision === 'allowed').map(([route]) => route);
  for (const route of allowed) {
    // A deletion would remove the row of the next edit, and a sign-out would remove its session.
    const who = route.startsWith('POST /_idp') || route.startsWith('DELETE /_idp') ? await signInOtherViewer() : viewer;
    if (route === 'POST /api/watchlist') await freeTickerSlots();
    const response = await callAs(who, route, await readMemberData());
    assert.ok(response.status < 300, `${route} answered ${response.status} ${JSON.stringify(response.body)}`);
  }
  assert.equal((await other.call('GET', '/api/me')).status, 200);
  assert.ok(await other.browser.token(other.sessionId));
  const ends = await signInOtherViewer();
  for (const path of ['end', 'remove', 'touch', 'tokens'])
    assert.equal((await ends.browser.call('POST', `/client/sessions/${other.sessionId}/${path}`, {})).status, 404);
});

const signInOtherViewer = (): Promise<DemoViewer> => signInViewer(service);

/** Removes tickers, since the demo list is longer than its plan allows. */
async function freeTickerSlots(): Promise<void> {
  for (const id of (await readMemberData()).items.slice(-5)) await viewer.call('DELETE', `/api/watchlist/${id}`);
}

test('rejects password sign-ins to the demo account even when a password is set', async () => {
  const { email, password } = service.firstRun.members[0]!;
  await service.database.owner(
    `update idp.users set password_hash = (select password_hash from idp.users where email = $2) where id = $1`,
    [demo, email],
  );
  const signIn = async (identifier: string): Promise<number> =>
    (await new TestBrowser(service.url).call('POST', '/client/sign_ins', { identifier, password })).status;
  assert.deepEqual([await signIn(email), await signIn('demo@example.com')], [200, 422]);
});
