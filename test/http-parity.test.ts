import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../src/errors.ts';
import type { HttpApp } from '../src/platform/http/app-type.ts';
import { createLogger } from '../src/platform/http/logger.ts';
import { createMetrics } from '../src/platform/http/metrics.ts';
import { createApiKey } from '../src/features/token-api/create-api-key.ts';
import { createTokenCounting } from '../src/features/token-api/token-counting.ts';
import { createTestDatabase } from './support/database.ts';
import { eventually } from './support/eventually.ts';
import { createScopedHttpApp } from './support/http-app.ts';

const metrics = createMetrics();
let app: HttpApp;
let base: string;
let key: string;
let logged: string[] = [];
let close: () => Promise<void>;

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const logger = createLogger('info', sink);
  const database = await createTestDatabase();
  const sql = database.database.service;
  const counting = createTokenCounting({ sql, logger, metrics, rateLimits: 'off', workers: 0, https: true });
  const options = { logger, metrics, trustedProxies: ['127.0.0.1'], bodyLimit: 2_000, https: true };
  app = await createScopedHttpApp(options, {
    v1: counting.registerV1,
    addOtherRoutes(scope) {
      scope.post('/api/things', { schema: { body: z.object({ model: z.string() }) } }, async (request) => {
        if (request.headers['x-api-key'] === undefined) throw new AppError('UNAUTHENTICATED');
        return { ok: true };
      });
    },
  });
  base = await app.listen({ host: '127.0.0.1', port: 0 });
  const created = await createApiKey(sql, { organisation: 'Test', usageTier: 4 }, 'test');
  assert.ok(created.ok);
  ({ key } = created);
  close = async () => {
    await app.close();
    await counting.close();
    await database.drop();
  };
});
afterAll(() => close());

/**
 * A route under `/v1`, whose handlers take over the reply. The tests below apply to it and to a route that Fastify
 * answers.
 */
const COUNT = '/v1/messages/count_tokens';
const ITEM_ROUTE = '/api/things';
const UNKNOWN = { [COUNT]: '/v1/nothing', [ITEM_ROUTE]: '/api/nothing' } as const;
type RoutePath = keyof typeof UNKNOWN;

const BODY = JSON.stringify({ model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello' }] });
const createTooLargeBody = (bytes: number): string => `{"model":"${'x'.repeat(bytes)}"}`;

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function call(path: string, { method = 'POST', headers = {}, body = BODY }: Call = {}) {
  const given = { 'x-api-key': key, 'svc-version': '2023-06-01', 'content-type': 'application/json', ...headers };
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const response = await fetch(base + path, { method, headers: sent, body: method === 'GET' ? null : body });
  return { response, text: await response.text() };
}

/** The route label of an unknown path, and of a known path outside `/v1` with a wrong method. */
const UNMATCHED = 'unmatched';

/** Rejected requests, each with its status and the route label of its metrics. */
const rejectedRequests: readonly [what: string, path: string, status: number, route: string, call: Call][] = [
  ['no credential is sent', COUNT, 401, COUNT, { headers: { 'x-api-key': '' } }],
  ['no credential is sent', ITEM_ROUTE, 401, ITEM_ROUTE, { headers: { 'x-api-key': '' } }],
  ['the method is wrong', COUNT, 405, COUNT, { method: 'PUT' }],
  ['the method is wrong', ITEM_ROUTE, 405, UNMATCHED, { method: 'PUT' }],
  ['the path is unknown', UNKNOWN[COUNT], 404, UNMATCHED, {}],
  ['the path is unknown', UNKNOWN[ITEM_ROUTE], 404, UNMATCHED, {}],
  ['the path is no URL', `${UNKNOWN[COUNT]}/%zz`, 404, UNMATCHED, {}],
  ['the path is no URL', `${UNKNOWN[ITEM_ROUTE]}/%zz`, 404, UNMATCHED, {}],
  ['the body is no JSON', COUNT, 400, COUNT, { body: '{"model": ' }],
  ['the body is no JSON', ITEM_ROUTE, 400, ITEM_ROUTE, { body: '{"model": ' }],
  ['the body is empty', COUNT, 400, COUNT, { body: '' }],
  ['the body is empty', ITEM_ROUTE, 400, ITEM_ROUTE, { body: '' }],
  ['the body is of another type', COUNT, 415, COUNT, { headers: { 'content-type': 'text/plain' } }],
  ['the body is of another type', ITEM_ROUTE, 415, ITEM_ROUTE, { headers: { 'content-type': 'text/plain' } }],
  ['the content type is malformed', COUNT, 415, COUNT, { headers: { 'content-type': 'nonsense' } }],
  ['the content type is malformed', ITEM_ROUTE, 415, ITEM_ROUTE, { headers: { 'content-type': 'nonsense' } }],
  ['the body is compressed', COUNT, 415, COUNT, { headers: { 'content-encoding': 'of-my-own' } }],
  ['the body is compressed', ITEM_ROUTE, 415, ITEM_ROUTE, { headers: { 'content-encoding': 'of-my-own' } }],
  ['the body is too large', COUNT, 413, COUNT, { body: createTooLargeBody(33 * 1024 * 1024) }],
  ['the body is too large', ITEM_ROUTE, 413, ITEM_ROUTE, { body: createTooLargeBody(3_000) }],
];

const countSeries = async (method: string, route: string, status: number): Promise<number> => {
  const text = await metrics.registry.getSingleMetricAsString('tally_http_requests_total');
  const line = text
    .split('\n')
    .find((candidate) => candidate.includes(`{method="${method}",route="${route}",status="${status}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

/** Returns the log lines of requests since the last reset. */
const requestLines = (): Record<string, unknown>[] =>
  logged.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request');

test.for(rejectedRequests)(
  'returns the contract’s error and counts and logs once when %s: %s answers %d',
  async ([, path, status, route, request]) => {
    const { method = 'POST' } = request;
    const counted = await countSeries(method, route, status);
    logged = [];
    const { response, text } = await call(path, request);
    assert.equal(response.status, status, text);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('strict-transport-security'), 'max-age=31536000; includeSubDomains');
    assert.equal(response.headers.get('www-authenticate'), status === 401 ? 'Bearer' : null);
    assert.equal(response.headers.get('allow'), status === 405 ? 'POST' : null);
    const body = JSON.parse(text) as Record<string, unknown>;
    if (path.startsWith('/v1')) {
      assert.deepEqual(Object.keys(body), ['type', 'error', 'request_id']);
      assert.equal(body['request_id'], response.headers.get('request-id'));
    } else {
      assert.equal(typeof body['code'], 'string');
      assert.equal(typeof body['message'], 'string');
    }
    await eventually(() => requestLines().length > 0);
    assert.equal(await countSeries(method, route, status), counted + 1);
    assert.deepEqual(
      requestLines().map((line) => [line['method'], line['path'], line['status']]),
      // An unknown path may contain an encoded secret.
      [[method, path.replace('%zz', '…'), status]],
    );
  },
);

describe.each([COUNT, ITEM_ROUTE] as const)('%s', (path: RoutePath) => {
  test('accepts a valid request id and creates one otherwise', async () => {
    for (const requestedPath of [path, UNKNOWN[path]]) {
      const fetchRequestId = async (given: string): Promise<string> =>
        (await call(requestedPath, { headers: { 'x-request-id': given } })).response.headers.get('x-request-id')!;
      for (const given of ['a-sane.id_of_mine', 'x'.repeat(8), 'x'.repeat(128)])
        assert.equal(await fetchRequestId(given), given);
      const made = await Promise.all(
        ['', 'x'.repeat(7), 'has blanks in it', '<script>alert(1)', 'x'.repeat(129)].map(fetchRequestId),
      );
      for (const one of made) assert.match(one, /^req_[0-9A-Za-z]{22}$/);
      assert.equal(new Set(made).size, made.length);
    }
  });

  test('sends the common response headers', async () => {
    const { response } = await call(path);
    assert.equal(response.status, 200);
    for (const headers of [response.headers, (await call(UNKNOWN[path])).response.headers]) {
      assert.match(headers.get('content-type')!, /^application\/json(;|$)/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000; includeSubDomains');
      assert.equal(headers.get('x-powered-by'), null);
    }
  });

  test('logs the same fields of every request without its query or a credential', async () => {
    logged = [];
    const secrets = { authorization: 'Bearer SECRET', cookie: 'session=SECRET', 'x-forwarded-for': '203.0.113.7' };
    const { response } = await call(`${path}?token=SECRET`, { headers: secrets });
    assert.equal(response.status, 200);
    await eventually(() => requestLines().length > 0);
    const [line] = requestLines();
    const fields = 'level time pid host version reqId method path status ms msg';
    assert.equal(Object.keys(line!).join(' '), fields);
    assert.equal(line!['path'], path);
    assert.doesNotMatch(logged.join(''), new RegExp(`SECRET|203\\.0\\.113|${key}|Hello`));
  });

  test('uses the client address that a trusted proxy sends, with an equal response', async () => {
    const forwarding = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'evil.example',
    };
    const direct = await call(path);
    const forwarded = await call(path, { headers: forwarding });
    assert.equal(forwarded.text, direct.text);
    const getHeaderNames = ({ response }: typeof direct): string[] => [...response.headers.keys()];
    assert.deepEqual(getHeaderNames(forwarded), getHeaderNames(direct));
    assert.doesNotMatch(JSON.stringify([...forwarded.response.headers]), /evil/);
  });

  test('counts and logs a request as 499 when its client disconnected', async (t) => {
    const counted = await countSeries('POST', path, 499);
    logged = [];
    const responseReceived = once(app.server, 'request');
    const head = [`POST ${path} HTTP/1.1`, 'host: a', `x-api-key: ${key}`, 'svc-version: 2023-06-01'];
    const lines = [...head, 'content-type: application/json', 'content-length: 100', '', '{"model"'];
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    t.onTestFinished(() => {
      socket.destroy();
    });
    socket.write(lines.join('\r\n'));
    await responseReceived;
    socket.destroy();
    await eventually(() => requestLines().some(({ status }) => status === 499));
    assert.equal(await countSeries('POST', path, 499), counted + 1);
  });
});
