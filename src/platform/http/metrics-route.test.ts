import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, test } from 'vitest';
import { Gauge } from 'prom-client';
import { eventually } from '../../../test/support/eventually.ts';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import type { TestScope } from '../../../test/support/test-scope.ts';
import { AppError } from '../../errors.ts';
import { createLogger } from './logger.ts';
import { addMetricsRoute } from './metrics-route.ts';
import { createMetrics } from './metrics.ts';

let logText = '';
const logger = createLogger(
  'info',
  new Writable({
    write(chunk, _encoding, done) {
      logText += String(chunk);
      done();
    },
  }),
);
const metrics = createMetrics();
const gauge = (name: string, collect: () => void | Promise<void>): void => {
  new Gauge({ name, help: name, registers: [metrics.registry], collect });
};
gauge('rejecting', () => Promise.reject(new Error('database unavailable')));
gauge('throwing', () => {
  throw new Error('an unexpected error');
});
gauge('sound', () => {});

test('counts only errors, by route and code', async (t) => {
  const localMetrics = createMetrics();
  const app = await createTestHttpApp({ metrics: localMetrics });
  t.onTestFinished(() => app.close());
  app.get('/full/:id', { schema: {} as never }, async (request) => {
    if ((request.params as { id: string }).id === '1') throw new AppError('CONFLICT');
    return {};
  });
  for (const path of ['/full/1', '/full/1', '/full/2', '/nowhere']) await app.inject(path);
  const text = await localMetrics.read(logger);
  assert.deepEqual(
    text.split('\n').filter((line) => line.startsWith('tally_http_refusals_total{')),
    [
      'tally_http_refusals_total{route="/full/:id",code="CONFLICT"} 2',
      'tally_http_refusals_total{route="unmatched",code="NOT_FOUND"} 1',
    ],
  );
});

/** Reads the metrics, which must be complete except for the two that fail. */
async function holdsWithoutTheFailing(url: string, headers: Record<string, string> = {}): Promise<void> {
  logText = '';
  const response = await fetch(url, { headers });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), metrics.registry.contentType);
  const text = await response.text();
  assert.match(text, /^sound 0$/m);
  assert.match(text, /^process_cpu_seconds_total /m);
  assert.doesNotMatch(text, /rejecting|throwing/);
  assert.equal(logText.match(/database unavailable.*"metric":"rejecting"/g)?.length, 1);
  assert.equal(logText.match(/an unexpected error.*"metric":"throwing"/g)?.length, 1);
}

test('omits and logs a collector that fails', async () => {
  const app = await createTestHttpApp({ logger, metrics });
  afterAll(() => app.close());
  addMetricsRoute(app, metrics, 'a-token');
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  await holdsWithoutTheFailing(`${base}/metrics`, { authorization: 'Bearer a-token' });
});

/** Serves metrics with a clock that stands still and a collector that the test replaces. */
async function startCountedRoute(t: TestScope, { timeoutMs }: { timeoutMs?: number } = {}) {
  const counted = { requests: 0, collections: 0, now: 0, read: async () => `read 1\n`.repeat(1_000) };
  const app = await createTestHttpApp();
  t.onTestFinished(() => app.close());
  app.addHook('preHandler', async () => {
    counted.requests += 1;
  });
  const read = (): Promise<string> => {
    counted.collections += 1;
    return counted.read();
  };
  const options = { now: () => counted.now, ...(timeoutMs !== undefined && { timeoutMs }) };
  addMetricsRoute(app, { ...createMetrics(), read }, 'a-token', options);
  const scrape = async (headers: Record<string, string> = {}) =>
    app.inject({ url: '/metrics', headers: { authorization: 'Bearer a-token', ...headers } });
  return { counted, scrape };
}

test('collects once for all callers within a second', async (t) => {
  const { counted, scrape } = await startCountedRoute(t);
  await Promise.all([scrape(), scrape()]);
  counted.now = 999;
  assert.equal((await scrape()).statusCode, 200);
  assert.equal(counted.collections, 1);
});

test('collects again when a second has passed', async (t) => {
  const { counted, scrape } = await startCountedRoute(t);
  await scrape();
  counted.now = 1_000;
  await scrape();
  assert.equal(counted.collections, 2);
});

test('sends the form of a collection that the caller accepts', async (t) => {
  const { counted, scrape } = await startCountedRoute(t);
  const forms = [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br' }];
  const [plain, gzipped, brotli] = await Promise.all(forms.map(scrape));
  assert.deepEqual(
    [plain, gzipped, brotli].map((response) => response!.headers['content-encoding']),
    [undefined, 'gzip', 'br'],
  );
  assert.equal(gunzipSync(gzipped!.rawPayload).toString(), plain!.body);
  assert.equal(brotliDecompressSync(brotli!.rawPayload).toString(), plain!.body);
  assert.equal(counted.collections, 1);
});

test('returns 401 without the token when a collection is kept', async (t) => {
  const { scrape } = await startCountedRoute(t);
  await scrape();
  assert.equal((await scrape({ authorization: 'Bearer another' })).statusCode, 401);
});

test('waits for a running collection when it takes more than a second', async (t) => {
  const { counted, scrape } = await startCountedRoute(t);
  const running = Promise.withResolvers<string>();
  counted.read = () => running.promise;
  const first = scrape();
  await eventually(() => counted.collections === 1);
  counted.now = 5_000;
  const second = scrape();
  await eventually(() => counted.requests === 2);
  running.resolve('read 2\n');
  assert.deepEqual([(await first).body, (await second).body, counted.collections], ['read 2\n', 'read 2\n', 1]);
});

test('keeps a failure for a second', async (t) => {
  const { counted, scrape } = await startCountedRoute(t);
  counted.read = () => Promise.reject(new Error('the processes disagree'));
  assert.deepEqual([(await scrape()).statusCode, (await scrape()).statusCode, counted.collections], [500, 500, 1]);
});

test('collects again when a collection did not end in time', async (t) => {
  const { counted, scrape } = await startCountedRoute(t, { timeoutMs: 10 });
  counted.read = () => new Promise(() => {});
  assert.equal((await scrape()).statusCode, 500);
  counted.now = 1_000;
  counted.read = async () => 'read 2\n';
  assert.equal((await scrape()).body, 'read 2\n');
});
