import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Registry } from 'prom-client';
import { addGauges } from './gauges.ts';

const DEFINITIONS = { first: { name: 'first', help: 'One.' }, second: { name: 'second', help: 'Two.' } };

test('reads all figures once when they are scraped', async () => {
  const registry = new Registry();
  let reads = 0;
  const read = async () => {
    reads += 1;
    return { first: reads, second: 10 * reads };
  };
  addGauges(registry, DEFINITIONS, read, () => assert.fail());
  assert.match(await registry.metrics(), /^first 1$[^]*^second 10$/m);
  assert.match(await registry.metrics(), /^first 2$[^]*^second 20$/m);
  assert.equal(reads, 2);
});

test('omits the figures and reports one failure when the read fails', async () => {
  const registry = new Registry();
  const failures: unknown[] = [];
  const failure = new Error('database unavailable');
  addGauges(registry, DEFINITIONS, () => Promise.reject(failure), failures.push.bind(failures));
  assert.doesNotMatch(await registry.metrics(), /^(first|second) /m);
  assert.deepEqual(failures, [failure]);
});
