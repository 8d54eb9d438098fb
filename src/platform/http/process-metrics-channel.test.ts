import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'vitest';
import { Gauge } from 'prom-client';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { readMetricSnapshot } from './read-metrics.ts';
import { createMetricsPeers } from './process-metrics-channel.ts';

/** Returns both ends of a channel between two processes. With `unresponsive`, the second end receives nothing. */
function channel({ unresponsive = false } = {}) {
  const first = new EventEmitter();
  const second = new EventEmitter();
  const send = (to: EventEmitter) => (message: object) => {
    setImmediate(() => to.emit('message', message));
  };
  return {
    child: Object.assign(first, { send: unresponsive ? () => {} : send(second) }),
    parent: Object.assign(second, { send: send(first) }),
  };
}

const logger = createLogger('silent');

/** Creates a process with this number of answered requests and database rows. */
function processWith(siblings: ReturnType<typeof createMetricsPeers>, requests: number, rows: number) {
  const metrics = createMetrics(siblings);
  for (let sent = 0; sent < requests; sent += 1) metrics.observe('GET', '/x', 200, 3);
  new Gauge({ name: 'rows', help: 'rows', registers: [metrics.registry], aggregator: 'max' }).set(rows);
  siblings.setMetricsReader(() => readMetricSnapshot(metrics.registry, logger));
  return metrics;
}

test('returns the metrics of all three processes from any of them', async () => {
  const firstChild = channel();
  const secondChild = channel();
  const first = createMetricsPeers();
  first.add(firstChild.child);
  first.add(secondChild.child);
  const processes = [
    processWith(first, 2, 7),
    processWith(createMetricsPeers(firstChild.parent), 3, 9),
    processWith(createMetricsPeers(secondChild.parent), 5, 8),
  ];
  for (const metrics of processes) {
    const text = await metrics.read(logger);
    assert.match(text, /^tally_processes 3$/m);
    assert.match(text, /^tally_http_requests_total\{method="GET",route="\/x",status="200"\} 10$/m);
    assert.match(text, /^tally_http_request_duration_seconds_bucket\{le="0.005",method="GET",route="\/x"\} 10$/m);
    assert.match(text, /^rows 9$/m, 'each process reads the same rows');
  }
});

test('omits a process that does not respond or has exited', async () => {
  const silentChild = channel({ unresponsive: true });
  const exitedChild = channel();
  const first = createMetricsPeers(undefined, 20);
  first.add(silentChild.child);
  first.add(exitedChild.child);
  exitedChild.child.emit('exit');
  exitedChild.child.send = () => assert.fail('requested after its exit');
  const text = await processWith(first, 1, 1).read(logger);
  assert.match(text, /^tally_processes 1$/m);
  assert.match(text, /^tally_http_requests_total\{.*\} 1$/m);
});

test('returns only its own metrics when the parent process has exited', async () => {
  const { parent } = channel();
  parent.send = () => {};
  const text = await processWith(createMetricsPeers(parent, 20), 4, 1).read(logger);
  assert.match(text, /^tally_http_requests_total\{.*\} 4$/m);
});
