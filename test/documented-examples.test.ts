import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { SITE, sendRequest } from './support/identity.ts';
import { signInMember } from './support/member-tables.ts';
import { startService, type TestService } from './support/service.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  example?: unknown;
}

type Content = Record<string, { example?: unknown }>;

interface Operation {
  security: Record<string, unknown>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Record<string, { content: Content }>;
}

/**
 * Error codes of examples that this service refuses because of what it holds. Beside these, an example may name a row
 * of the service where it was recorded, which is not found.
 */
const REFUSALS: Readonly<Record<string, string>> = {
  'GET /api/referrals/validate-referrer': 'REFERRER_NOT_FOUND',
  'POST /api/assistant/messages': 'NOT_CONFIGURED',
  'POST /api/billing/change': 'CONFLICT',
  'POST /api/billing/cancel': 'CONFLICT',
  'POST /api/billing/resume': 'CONFLICT',
  'POST /api/billing/sync': 'NOT_FOUND',
  'POST /api/connections/finish': 'NOT_FOUND',
  'POST /api/demo-access/complete': 'NOT_DEMO_ACCOUNT',
  'POST /api/investments/holdings': 'NOT_FOUND',
  'POST /api/watchlist': 'ALREADY_WATCHED',
  'PUT /api/alerts/mail': 'NOT_CONFIGURED',
  'PUT /api/watchlist/order': 'ORDER_CONFLICT',
};

const { paths } = JSON.parse(readFileSync(new URL('../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(paths)
  .flatMap(([path, ofPath]) =>
    Object.entries(ofPath).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  // Reads first, then writes and deletions. The end of the operator's session is last.
  .toSorted((a, b) => rank(a) - rank(b));

function rank({ method, path }: { method: string; path: string }): number {
  if (path === '/api/operator/session' && method === 'DELETE') return 3;
  if (method === 'GET') return 0;
  return method === 'DELETE' ? 2 : 1;
}

const COUNT_PATH = '/v1/messages/count_tokens';
const OPERATOR_TOKEN = 'f0'.repeat(32);

/** Returns the token of a group of operator's routes. */
function getOperatorToken(path: string): string {
  if (path.startsWith('/api/internal/demo-access')) return service.firstRun.operator_token;
  return path.startsWith('/api/operator/revenue') ? 'e0'.repeat(32) : OPERATOR_TOKEN;
}

let service: TestService;
let member: Awaited<ReturnType<typeof signInMember>>;
let headersByScheme: Record<string, Record<string, string>>;

beforeAll(async () => {
  service = await startService({ BASE_URL: SITE, API_RATE_LIMIT: '100000', SANDBOX: 'on' });
  const { firstRun, url } = service;
  const { email, password } = firstRun.members.find(({ tier }) => tier === 'max')!;
  member = await signInMember(service, { identifier: email, password });
  const operator = await sendRequest(`${url}/api/operator/session`, 'POST', undefined, {
    authorization: `Bearer ${OPERATOR_TOKEN}`,
    origin: SITE,
  });
  headersByScheme = {
    apiKey: { 'x-api-key': firstRun.api_key },
    operatorSession: { cookie: operator.headers.getSetCookie()[0]!.split(';')[0]!, origin: SITE },
  };
});
afterAll(() => service.stop());

/** Sends an operation's example as the document writes it, with a valid credential. */
function sendExample(method: string, path: string, { security, parameters = [], requestBody }: Operation) {
  const given = parameters.filter((parameter): parameter is Parameter => 'in' in parameter && 'example' in parameter);
  const url = new URL(
    service.url +
      path.replace(/\{(\w+)\}/g, (_all, name: string) => String(given.find((one) => one.name === name)!.example)),
  );
  for (const { name, example } of given.filter((one) => one.in === 'query'))
    url.searchParams.set(name, String(example));
  const headers = Object.fromEntries(
    given.filter((one) => one.in === 'header').map(({ name, example }) => [name, String(example)]),
  );
  const scheme = security.flatMap((one) => Object.keys(one))[0];
  const body = requestBody && Object.values(requestBody.content)[0]!.example;
  if (scheme === 'session') return member.call(method, url.pathname + url.search, body as object | undefined);
  if (scheme === 'operatorToken') headers['authorization'] = `Bearer ${getOperatorToken(path)}`;
  return sendRequest(url.href, method, body as object | undefined, {
    ...headers,
    ...(scheme && headersByScheme[scheme]),
  });
}

test('accepts every request of the document as it is written', async () => {
  for (const { method, path, operation } of operations) {
    const { status, body } = await sendExample(method, path, operation);
    const name = `${method} ${path}`;
    // A count is the same everywhere. Other responses depend on what the service holds.
    if (path === COUNT_PATH) assert.deepEqual(body, operation.responses[200]!.content['application/json']!.example);
    if (status < 400) continue;
    const expected = REFUSALS[name] ?? (path.includes('{') ? 'NOT_FOUND' : 'no refusal');
    assert.equal(body.code, expected, `${name} answers ${status} ${JSON.stringify(body).slice(0, 300)}`);
  }
});
