import assert from 'node:assert/strict';
import { z } from 'zod';
import { afterAll, beforeAll, test } from 'vitest';
import type { Route } from '../src/platform/http/contract.ts';
import { type RouteEntry, startServiceWithRoutes } from './support/every-route.ts';
import { createEmail, sendRequest, TestBrowser } from './support/identity.ts';
import type { TestService } from './support/service.ts';

/** Routes of members whose answer holds a secret, a link or a file, and that need no recent sign-in, with the reason. */
const ENDS_WITH_SESSION: Readonly<Record<string, string>> = {
  'GET /api/assistant/conversations/:id': 'links and failures of messages',
  'GET /api/assistant/reports/:kind': 'pages of the sources',
  'GET /api/assistant/tokens': 'the address for clients holds no secret',
  'GET /api/billing': 'pages of the payment provider, which show invoices or take money',
  'GET /api/home': 'pages of the news',
  'GET /api/news': 'pages of the news',
  'GET /api/referrals/get-link': 'members publish this link',
  'GET /api/securities/:symbol': 'pages of the news',
  'GET /api/investments/holdings/export.csv': 'the holdings of one page',
  'GET /api/net-worth/export.csv': 'the figures of one chart',
  'GET /api/watchlist/export.csv': 'the symbols and prices of one page',
  'POST /api/assistant/messages': 'an answer that the page shows',
  'POST /api/billing/cancel': 'pages of the payment provider, which show invoices or take money',
  'POST /api/billing/change': 'pages of the payment provider, which show invoices or take money',
  'POST /api/billing/checkout': 'a page of the payment provider, which takes money and shows no data',
  'POST /api/billing/portal': 'a page of the payment provider, which ends by itself',
  'POST /api/billing/resume': 'pages of the payment provider, which show invoices or take money',
  'POST /api/billing/sync': 'pages of the payment provider, which show invoices or take money',
  'POST /api/connections/finish': 'the reason of a failure',
  'POST /api/connections/start': 'a page of the aggregator, which ends by itself',
};

/** Writes of a browser at the identity provider that need no recent sign-in, with the reason. */
const NO_CREDENTIAL: Readonly<Record<string, string>> = {
  'PATCH /_idp/v1/me': 'name and metadata',
  'PATCH /_idp/v1/me/metadata': 'metadata',
  'POST /_idp/v1/me/metadata': 'metadata',
  'PATCH /_idp/v1/me/passkeys/:id': 'name of a passkey',
  'POST /_idp/v1/me/change_password': 'requires the current password',
  'DELETE /_idp/v1/me/email_addresses/:id': 'cancels a change',
  'POST /_idp/v1/me/email_addresses/:id': 'cancels a change',
  'POST /_idp/v1/me/email_addresses/:id/prepare_verification': 'sends a link to an address of the account again',
  'POST /_idp/v1/me/passkeys/:id/attempt_verification': 'ends what a recent sign-in began within five minutes',
  'DELETE /_idp/v1/client/sessions': 'ends the sessions of this browser',
  'POST /_idp/v1/client/sessions': 'ends the sessions of this browser',
  'POST /_idp/v1/client/sessions/:id/end': 'ends a session of this browser',
  'POST /_idp/v1/client/sessions/:id/remove': 'ends a session of this browser',
  'POST /_idp/v1/client/sessions/:id/tokens': 'a token of the session, for a minute',
  'POST /_idp/v1/client/sessions/:id/touch': 'records that the session is used',
  'POST /_idp/v1/client/sessions/:id/verify': 'is the recent sign-in',
  'POST /_idp/v1/client/sessions/:id/verify/attempt_first_factor': 'is the recent sign-in',
  'POST /_idp/v1/client/sessions/:id/verify/attempt_second_factor': 'is the recent sign-in',
  'POST /_idp/v1/client/sessions/:id/verify/prepare_first_factor': 'is the recent sign-in',
  'POST /_idp/v1/client/sign_ins': 'requires a credential',
  'POST /_idp/v1/client/sign_ins/:id/attempt_first_factor': 'requires a credential',
  'POST /_idp/v1/client/sign_ins/:id/attempt_second_factor': 'requires a code after the password',
  'POST /_idp/v1/client/sign_ins/:id/reset_password': 'requires the code of a link',
  'POST /_idp/v1/client/sign_ups': 'creates an account',
  'POST /_idp/v1/stop_email_change': 'requires the code of a link',
  'POST /_idp/v1/verify': 'requires the code of a link, and a session or the password',
};

/** Query and body of a write that reads them before it asks for a recent sign-in. */
const INPUTS: Readonly<Record<string, { query?: string; form?: Record<string, string> }>> = {
  'POST /_idp/v1/me': { query: '?_method=DELETE' },
  'POST /_idp/v1/me/passkeys/:id': { query: '?_method=DELETE' },
  'POST /_idp/v1/me/email_addresses': { form: { email_address: 'next@example.com' } },
};

let service: TestService;
let routes: readonly RouteEntry[];
beforeAll(async () => {
  ({ service, routes } = await startServiceWithRoutes());
});
afterAll(() => service.stop());

const SECRET = /(^|_)(key|token|secret|ticket|link|url|codes?|password)$/;

/** Returns the names of the fields of a JSON schema, at any depth. */
function listFields(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(listFields)];
}

const holdsSecret = (response: z.ZodType): boolean =>
  listFields(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' })).some((name) => SECRET.test(name));

/** Returns whether a successful answer holds a secret, a link or a file. */
function givesOut({ responses }: Pick<Route, 'responses'>): boolean {
  return Object.entries(responses).some(([status, response]) => {
    if (!status.startsWith('2')) return false;
    if (!(response instanceof z.ZodType))
      return 'jsonFile' in response || !response.mediaTypes.join().startsWith('image/');
    return holdsSecret(response);
  });
}

test('finds a secret in an answer when it is nested', () => {
  const wrap = (field: z.ZodObject) => ({
    responses: { 200: z.object({ items: z.array(z.union([z.null(), field])) }) },
  });
  assert.equal(givesOut(wrap(z.object({ session_token: z.string() }))), true);
  assert.equal(givesOut(wrap(z.object({ recovery_codes: z.array(z.string()) }))), true);
  assert.equal(givesOut(wrap(z.object({ name: z.string() }))), false);
});

/** Returns the browser and a token of a member who signed in eleven minutes ago. */
async function signUpEarlier() {
  const browser = new TestBrowser(service.url);
  const { sessionId } = await browser.signUp(createEmail());
  await service.database.owner(`update idp.sessions set created_at = now() - interval '11 minutes' where id = $1`, [
    sessionId,
  ]);
  return { browser, token: await browser.token(sessionId) };
}

test('requires a sign-in within ten minutes where a route creates what outlives the session', async () => {
  const found = routes.filter(
    ({ definition, url }) =>
      definition && (definition.access ?? 'member') === 'member' && url.startsWith('/api/') && givesOut(definition),
  );
  const names = found.map(({ method, url }) => `${method} ${url}`);
  for (const name of [
    'POST /api/api-keys',
    'POST /api/assistant/tokens',
    'GET /api/me/export',
    ...Object.keys(ENDS_WITH_SESSION),
  ])
    assert.ok(names.includes(name), name);
  const { token } = await signUpEarlier();
  for (const { method, url } of found) {
    if (method === 'HEAD' || `${method} ${url}` in ENDS_WITH_SESSION) continue;
    const body = method === 'GET' ? undefined : {};
    const answer = await sendRequest(service.url + url, method, body, { authorization: `Bearer ${token}` });
    assert.deepEqual([answer.status, answer.body.code], [403, 'SESSION_REVERIFICATION_REQUIRED'], `${method} ${url}`);
  }
});

test('requires a sign-in within ten minutes where the identity provider changes a credential', async () => {
  // The routes of servers require the secret key.
  const ofServers = /^\/_idp\/v1\/(?:invitations|sessions|sign_in_tokens|users)\b/;
  const writes = routes.filter(
    ({ method, url }) =>
      url.startsWith('/_idp/v1/') && !ofServers.test(url) && !['GET', 'HEAD', 'OPTIONS'].includes(method),
  );
  const names = writes.map(({ method, url }) => `${method} ${url}`);
  assert.deepEqual(
    Object.keys(NO_CREDENTIAL).filter((name) => !names.includes(name)),
    [],
  );
  const { browser } = await signUpEarlier();
  for (const name of names) {
    if (name in NO_CREDENTIAL) continue;
    const [method, url] = name.split(' ') as [string, string];
    const { query = '', form = {} } = INPUTS[name] ?? {};
    const path = url.replace('/_idp/v1', '').replace(':id', 'id_1') + query;
    const answer = await browser.call(method, path, method === 'DELETE' ? undefined : form);
    assert.deepEqual([answer.status, answer.body.errors?.[0].code], [403, 'session_reverification_required'], name);
  }
});

test('creates a key, a token and a file again after the password was entered', async () => {
  const browser = new TestBrowser(service.url);
  const { sessionId, password } = await browser.signUp(createEmail());
  await service.database.owner(`update idp.sessions set created_at = now() - interval '11 minutes' where id = $1`, [
    sessionId,
  ]);
  const create = async () => {
    const headers = { authorization: `Bearer ${await browser.token(sessionId)}` };
    const call = async (method: string, path: string, body?: object) =>
      (await sendRequest(service.url + path, method, body, headers)).status;
    return [
      await call('POST', '/api/api-keys', { name: 'Laptop' }),
      await call('POST', '/api/assistant/tokens', { name: 'Laptop' }),
      await call('GET', '/api/me/export'),
    ];
  };
  assert.deepEqual(await create(), [403, 403, 403]);
  const path = `/client/sessions/${sessionId}/verify/attempt_first_factor`;
  assert.equal((await browser.call('POST', path, { strategy: 'password', password })).status, 200);
  assert.deepEqual(await create(), [201, 201, 200]);
});
