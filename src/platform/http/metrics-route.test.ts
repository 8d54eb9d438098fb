import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { afterAll, test } from 'vitest';
import { Gauge } from 'prom-client';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
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

test('counts errors by route and code, and not successful responses', async (t) => {
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
  for (let readCount = 1; readCount <= 2; readCount += 1) {
    const response = await fetch(url, { headers });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), metrics.registry.contentType);
    const text = await response.text();
    assert.match(text, /^sound 0$/m);
    assert.match(text, /^process_cpu_seconds_total /m);
    assert.doesNotMatch(text, /rejecting|throwing/);
    assert.equal(logText.match(/database unavailable.*"metric":"rejecting"/g)?.length, readCount);
    assert.equal(logText.match(/an unexpected error.*"metric":"throwing"/g)?.length, readCount);
  }
}

test('omits and logs a collector that fails', async () => {
  const app = await createTestHttpApp({ logger, metrics });
  afterAll(() => app.close());
  addMetricsRoute(app, metrics, 'a-token');
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  await holdsWithoutTheFailing(`${base}/metrics`, { authorization: 'Bearer a-token' });
});
