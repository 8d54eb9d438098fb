import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import { addHealthRoutes } from './health.ts';
import { createLogger } from './logger.ts';
import { addMetricsRoute } from './metrics-route.ts';
import { createMetrics } from './metrics.ts';

const TOKEN = 'a-metrics-token-of-the-test';
let app: HttpApp;
let base: string;
let databaseAnswers = true;
let degraded: string[] = [];
const logLines: string[] = [];

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  const metrics = createMetrics();
  const logger = createLogger('info', sink);
  app = await createTestHttpApp({ logger, metrics, bodyLimit: 2_000 });
  addHealthRoutes(
    app,
    [
      { name: 'database', ok: async () => databaseAnswers },
      { name: 'queue', ok: async () => true },
    ],
    { listDegraded: () => degraded, listLostNodes: async () => [] },
  );
  addMetricsRoute(app, metrics, TOKEN);
  const body = z.strictObject({ symbol: z.string().min(1), count: z.number().int() });
  app.post(
    '/api/things',
    { schema: { body, response: { 200: z.object({ symbol: z.string() }) } } },
    async (request) => ({
      symbol: request.body.symbol,
      undeclared: 'must not leave',
    }),
  );
  app.get('/api/things/:id', { schema: { params: z.object({ id: z.string() }) } }, async () => ({
    big: 'x'.repeat(5_000),
  }));
  app.delete('/api/things/:id', async (_request, reply) => reply.code(204).send());
  app.get('/api/broken', async () => {
    throw new Error('select password from users where token = s3cret');
  });
  app.get('/api/passing/:code', async (request) => {
    throw Object.assign(new Error('select secret'), { code: (request.params as { code: string }).code });
  });
  app.get('/api/unavailable', async () => {
    throw new AppError('UNAVAILABLE', { retryAfter: 2, cause: new Error('connect ECONNREFUSED 10.0.0.7') });
  });
  app.post('/api/logging', async () => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    logger.info('from a service');
    return {};
  });
  app.get('/api/busy', async () => {
    throw new AppError('RATE_LIMITED', { retryAfter: 1.2 });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});

afterAll(() => app.close());

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => fetch(`${base}/api/things`, { method: 'POST', body, headers });

describe('the errors contract of /api', () => {
  test('returns the path of each wrong, missing and unknown field', async () => {
    const response = await post(JSON.stringify({ symbol: '', other: 1 }));
    assert.equal(response.status, 400);
    const body = (await response.json()) as { code: string; issues: { path: string; message: string }[] };
    assert.equal(body.code, 'INVALID_REQUEST');
    assert.deepEqual(new Set(body.issues.map((issue) => issue.path)), new Set(['symbol', 'count', '']));
    assert.match(body.issues.find((issue) => issue.path === '')!.message, /other/);
  });

  test('returns 415 with the accepted encoding when a body has any other', async () => {
    const json = { 'content-type': 'application/json' };
    const plain = '{"symbol":"A","count":1}';
    const body = new Uint8Array(gzipSync(plain));
    for (const encoding of [
      'gzip',
      'GZIP',
      'x-gzip',
      'gzip, gzip',
      'identity, gzip',
      'deflate',
      'br',
      'zstd',
      'rot13',
    ]) {
      const rejected = await post(body, { ...json, 'content-encoding': encoding });
      assert.deepEqual(
        [rejected.status, rejected.headers.get('accept-encoding'), ((await rejected.json()) as { code: string }).code],
        [415, 'identity', 'UNSUPPORTED_MEDIA_TYPE'],
        encoding,
      );
    }
    for (const encoding of ['identity', 'Identity', ''])
      assert.equal((await post(plain, { ...json, 'content-encoding': encoding })).status, 200, encoding);
    const read = await fetch(`${base}/api/things/1`, { headers: { 'content-encoding': 'gzip' } });
    assert.equal(read.status, 200, 'a request without a body needs no encoding');
    const typed = await post('<a/>', { 'content-type': 'application/xml' });
    assert.deepEqual([typed.status, typed.headers.get('accept-encoding')], [415, null]);
  });

  test('ignores an empty body when the route has none', async () => {
    const headers = { 'content-type': 'application/json' };
    assert.equal((await fetch(`${base}/api/things/1`, { method: 'DELETE', headers })).status, 204);
    assert.equal((await fetch(`${base}/api/nothing`, { method: 'DELETE', headers })).status, 404);
    assert.equal((await fetch(`${base}/api/things/1`, { method: 'DELETE', headers, body: '{' })).status, 400);
    const empty = await post('');
    assert.deepEqual(
      [empty.status, ((await empty.json()) as { issues: object }).issues],
      [400, [{ path: '', message: 'the body is empty; send a JSON object' }]],
    );
  });

  test('returns 405 with every method of the path for a wrong one', async () => {
    const wrong = await fetch(`${base}/api/things/7`, { method: 'PATCH' });
    assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'DELETE, GET, HEAD']);
    assert.equal((await fetch(`${base}/api/things`, { method: 'QUERY' })).status, 415);
  });

  test('returns only the request id for an internal error', async () => {
    const response = await fetch(`${base}/api/broken`, { headers: { 'x-request-id': 'caller-0001' } });
    assert.equal(response.status, 500);
    const text = await response.text();
    assert.equal(response.headers.get('x-request-id'), 'caller-0001');
    assert.deepEqual(JSON.parse(text).request_id, 'caller-0001');
    assert.doesNotMatch(text, /select|s3cret|stack/);
    assert.match(logLines.join(''), /caller-0001/);
  });

  test('returns 503 with retry-after and logs the cause when a statement may be retried', async () => {
    for (const path of ['passing/40P01', 'passing/40001', 'passing/55P03', 'passing/57014', 'unavailable']) {
      logLines.length = 0;
      const response = await fetch(`${base}/api/${path}`);
      const text = await response.text();
      assert.deepEqual(
        [response.status, response.headers.get('retry-after'), JSON.parse(text).code],
        [503, '2', 'UNAVAILABLE'],
        path,
      );
      assert.doesNotMatch(text, /secret|10\.0\.0/);
      assert.match(logLines.join(''), /select secret|ECONNREFUSED/, path);
    }
    assert.equal((await fetch(`${base}/api/passing/23505`)).status, 500, 'a constraint violation is an internal error');
  });

  test('forbids caching of an error of the service', async () => {
    for (const [path, status] of [
      ['busy', 429],
      ['broken', 500],
      ['unavailable', 503],
    ] as const) {
      const { status: actual, headers } = await fetch(`${base}/api/${path}`);
      assert.deepEqual([actual, headers.get('cache-control')], [status, 'no-store']);
    }
  });

  test('rounds retry-after up to whole seconds', async () => {
    const response = await fetch(`${base}/api/busy`);
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '2');
  });

  test('omits fields from the response when the contract does not declare them', async () => {
    const response = await post(JSON.stringify({ symbol: 'AAPL', count: 1 }));
    assert.deepEqual(await response.json(), { symbol: 'AAPL' });
  });
});

describe('the other dialects', () => {
  test.each(['/v1/nothing', '//v1/messages/count_tokens', '/messages/count_tokens'])(
    'returns an error of the Messages API when nothing is at %s',
    async (path) => {
      const response = await fetch(base + path);
      assert.equal(response.status, 404);
      const body = (await response.json()) as { type: string; error: { type: string }; request_id: string };
      assert.equal(body.type, 'error');
      assert.equal(body.error.type, 'not_found_error');
      assert.equal(body.request_id, response.headers.get('x-request-id'));
    },
  );

  test('returns an error of the identity provider when nothing is at a path under /_idp', async () => {
    const idp = (await (await fetch(`${base}/_idp/v1/nothing`)).json()) as { errors: { code: string }[] };
    assert.equal(idp.errors[0]!.code, 'resource_not_found');
  });
});

describe('headers', () => {
  test('sends a policy that allows no other origin and no inline code', async () => {
    const { headers } = await fetch(`${base}/healthz`);
    const policy = headers.get('content-security-policy')!;
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  });

  test('compresses a large response and honors its etag', async () => {
    const first = await fetch(`${base}/api/things/1`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(first.headers.get('content-encoding'), 'gzip');
    const weak = first.headers.get('etag')!;
    assert.match(weak, /^W\/"[^"]+"$/, 'weak, because it is equal for every encoding');
    const etag = weak.slice(2);
    await first.text();
    const plain = await fetch(`${base}/api/things/1`, { headers: { 'accept-encoding': 'identity' } });
    assert.deepEqual(
      [plain.headers.get('content-encoding'), plain.headers.get('etag'), plain.headers.get('vary')],
      [null, weak, 'accept-encoding'],
    );
    const tags = [etag, weak, '*', ` * `, `"other", ${etag}`, `W/"other",${weak}, "third"`];
    for (const tag of tags) {
      const revalidated = await fetch(`${base}/api/things/1`, { headers: { 'if-none-match': tag } });
      assert.deepEqual(
        [revalidated.status, await revalidated.text(), revalidated.headers.get('etag')],
        [304, '', weak],
        tag,
      );
      assert.deepEqual(
        [revalidated.headers.get('content-length'), revalidated.headers.get('vary')],
        [null, 'accept-encoding'],
        'has no content-length',
      );
    }
    for (const tag of ['"other"', etag.slice(1, -1), `"x${etag.slice(1)}`, '', '"*"']) {
      assert.equal((await fetch(`${base}/api/things/1`, { headers: { 'if-none-match': tag } })).status, 200, tag);
    }
    assert.equal(
      (await fetch(`${base}/api/busy`, { headers: { 'if-none-match': '*' } })).status,
      429,
      'an error is never 304',
    );
    const written = await fetch(`${base}/api/things`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-none-match': '*' },
      body: '{"symbol":"A","count":1}',
    });
    assert.equal(written.status, 200, 'a write is never 304');
  });
});

describe('operating', () => {
  test('returns 200 for healthz while the process runs, and for readyz with dependencies', async () => {
    assert.equal((await fetch(`${base}/healthz`)).status, 200);
    assert.equal((await fetch(`${base}/readyz`)).status, 200);
    databaseAnswers = false;
    const response = await fetch(`${base}/readyz`);
    assert.equal(response.status, 503);
    assert.deepEqual(await response.json(), { status: 'not_ready', checks: { database: 'failed', queue: 'ok' } });
    databaseAnswers = true;
  });

  test('returns 200 for readyz and names the fault when reads still work', async () => {
    degraded = ['disk'];
    const response = await fetch(`${base}/readyz`);
    degraded = [];
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      status: 'ready',
      checks: { database: 'ok', queue: 'ok' },
      degraded: ['disk'],
    });
  });

  test('logs once when readiness is lost and once when it is back', async () => {
    const readLines = () =>
      logLines
        .map((line) => JSON.parse(line) as { msg: string; failed?: string[]; reqId: string })
        .filter(({ msg }) => msg === 'not ready' || msg === 'ready again');
    await fetch(`${base}/readyz`);
    const earlierCount = readLines().length;
    for (const answers of [false, false, true, true]) {
      databaseAnswers = answers;
      await (await fetch(`${base}/readyz`, { headers: { 'x-request-id': 'of-the-balancer' } })).text();
    }
    const lines = readLines().slice(earlierCount);
    assert.deepEqual(
      lines.map(({ msg, failed, reqId }) => [msg, failed, reqId]),
      [
        ['not ready', ['database'], 'of-the-balancer'],
        ['ready again', undefined, 'of-the-balancer'],
      ],
    );
  });

  test('adds the request id to lines of a handler that runs after the body was read', async () => {
    const sent = await fetch(`${base}/api/logging`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': 'of-the-caller' },
      body: JSON.stringify({ text: 'x'.repeat(1_500) }),
    });
    assert.equal(sent.status, 200);
    const line = logLines.find((text) => text.includes('"msg":"from a service"'));
    assert.equal((JSON.parse(line!) as { reqId: string }).reqId, 'of-the-caller');
  });

  test('logs method and route with an unexpected error', async () => {
    await fetch(`${base}/api/passing/23505?ref=SECRETREF`);
    const line = logLines.findLast((text) => text.includes('"msg":"unexpected error"'));
    const { level, method, route } = JSON.parse(line!) as Record<string, unknown>;
    assert.deepEqual([level, method, route], ['error', 'GET', '/api/passing/:code']);
  });

  test('requires the token for metrics and counts by route pattern', async () => {
    assert.equal((await fetch(`${base}/metrics`)).status, 401);
    await fetch(`${base}/api/things/a-very-own-id`);
    const text = await (await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
    assert.match(text, /tally_http_requests_total\{method="GET",route="\/api\/things\/:id",status="200"\} \d/);
    assert.doesNotMatch(text, /a-very-own-id/);
  });
});
