// @module-tag slow
import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { examples } from '../src/platform/http/openapi/examples.ts';
import { type RouteEntry, startServiceWithRoutes } from './support/every-route.ts';

let every: Awaited<ReturnType<typeof startServiceWithRoutes>>;
beforeAll(async () => {
  every = await startServiceWithRoutes();
});
afterAll(() => every.service.stop());

const EXAMPLE_ID = '00000000-0000-4000-8000-000000000000';
/** NUL, NUL within a text, half a surrogate pair, a cut sequence and a single percent sign, as in a path or a query. */
const ESCAPES = ['%00', 'a%00b', '%ED%A0%80', '%E0%A4%A', '%'];
const TEXTS = ['\0', 'a\0b', '\ud800', 'a\udc00'];

/** Returns the address of a route with `value` as parameter number `at` and unknown ids as its other parameters. */
const createPath = (url: string, value = '', at = -1): string => {
  let checkedRoutes = 0;
  return url.replaceAll(/:\w+|\*/g, () => (checkedRoutes++ === at ? value : EXAMPLE_ID));
};

/** Fakes whose callers hold a key reject a request without it first, each in its own way. */
const REJECTED_EARLIER_STATUSES = /^\/(_pay\/v1|_bank)\//;

const failures: string[] = [];

/** Sends a request and records a response with any other status. */
async function expectStatus(
  { method, url }: Pick<RouteEntry, 'method' | 'url'>,
  path: string,
  statuses: readonly number[],
  body?: unknown,
): Promise<void> {
  const headers = await every.getCredentials({ method, url });
  const response = await fetch(`${every.service.url}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  if (statuses.includes(response.status) || (response.status < 500 && REJECTED_EARLIER_STATUSES.test(url))) return;
  failures.push(`${method} ${path} ${JSON.stringify(body) ?? ''} answered ${response.status}: ${text.slice(0, 100)}`);
}

function assertNoFailures(): void {
  assert.deepEqual(failures.splice(0), []);
}

test('returns 400 or 404 on every route when a path parameter cannot be stored', async () => {
  const routes = every.routes.filter(({ url }) => /:\w|\*/.test(url));
  assert.ok(routes.length > 40, `${routes.length} routes`);
  for (const route of routes)
    for (let at = 0; at < (route.url.match(/:\w+|\*/g)?.length ?? 0); at += 1)
      for (const value of ESCAPES) await expectStatus(route, createPath(route.url, value, at), [400, 404]);
  assertNoFailures();
});

/** Query names that reads of the identity provider and of the fakes use without a contract. */
const OTHER_NAMES = ['email_address', 'user_id', 'client_id', 'status', 'limit', 'offset'];

/** This route returns the response of an unknown link for every malformed one. */
const VALIDATE_REFERRER = '/api/referrals/validate-referrer';

test('returns 400, or 404 for a referral link, when a query parameter contains a NUL', async () => {
  let triedRoutes = 0;
  // Routes under /v1 ignore their query.
  for (const route of every.routes.filter(({ url }) => !url.startsWith('/v1/'))) {
    const declared = route.definition?.query && Object.keys(route.definition.query.shape);
    const isOther = route.method === 'GET' && /^\/_(idp\/v1\/(users|sessions)|pay|brokerage)\b/.test(route.url);
    for (const name of declared ?? (isOther ? OTHER_NAMES : [])) {
      triedRoutes += 1;
      const status = route.url === VALIDATE_REFERRER ? 404 : 400;
      await expectStatus(route, `${createPath(route.url)}?${name}=a%00b`, [status]);
    }
  }
  assert.ok(triedRoutes > 50, `${triedRoutes} requests`);
  assertNoFailures();
});

/** Yields a copy of a body for each of its texts, with `text` as the replacement. */
function* withText(body: unknown, text: string): Generator {
  if (typeof body === 'string') yield text;
  if (typeof body !== 'object' || body === null) return;
  for (const [key, value] of Object.entries(body))
    for (const changed of withText(value, text))
      yield Array.isArray(body) ? body.with(Number(key), changed) : { ...body, [key]: changed };
}

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'run_sql', arguments: { sql: 'select 1' } },
};
/** Bodies of routes without a contract. */
const OTHER_BODIES: Readonly<Record<string, object>> = {
  'POST /mcp': call,
  'POST /_idp/v1/client/sign_ups': { email_address: 'a@example.com', password: 'x', first_name: 'A' },
  'POST /_idp/v1/client/sign_ins': { strategy: 'ticket', ticket: 'x' },
  'POST /_idp/v1/users': { email_address: ['a@example.com'], password: 'x', unsafe_metadata: { a: 'b' } },
  'POST /_idp/v1/sign_in_tokens': { user_id: 'user_1' },
  'POST /_idp/v1/me/change_password': { current_password: 'x', new_password: 'y' },
};

test('returns 400 on every route when a text of the JSON body cannot be stored', async () => {
  let triedRoutes = 0;
  for (const route of every.routes.filter(({ url }) => !url.startsWith('/v1/'))) {
    const name = `${route.method} ${route.url}`;
    const body = (route.definition && examples[route.definition.id]?.body) ?? OTHER_BODIES[name];
    assert.ok(body !== undefined || route.definition?.body === undefined, `${name} has no example`);
    for (const text of TEXTS)
      for (const changed of withText(body, text)) {
        triedRoutes += 1;
        await expectStatus(route, createPath(route.url), [400], changed);
      }
  }
  assert.ok(triedRoutes > 150, `${triedRoutes} requests`);
  assertNoFailures();
});

test('returns 404 on the payment pages when their token is a NUL', async () => {
  for (const page of ['checkout', 'invoice', 'portal'])
    for (const method of ['GET', 'POST'])
      await expectStatus({ method, url: `/_pay/${page}/:token` }, `/_pay/${page}/%00`, [404]);
  assertNoFailures();
});
