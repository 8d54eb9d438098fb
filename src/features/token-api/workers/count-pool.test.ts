import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Cancelled } from '../count-body.ts';
import { QueueFullError } from '../../../platform/fairness/fair-queue.ts';
import { CountPool, type PoolBody, type PoolOptions } from './count-pool.ts';
import { WorkerCrashedError, CountTimeoutError } from './worker-slot.ts';
import type { TestScope } from '../../../../test/support/test-scope.ts';

/**
 * A worker that does what the body names: respond, throw, hang, exit, or wait for cancellation. If it hangs or waits,
 * its loop sleeps and takes no CPU time.
 */
const OBEDIENT = `
const { parentPort, workerData } = require('node:worker_threads');
const cancelled = new Int32Array(workerData);
const never = new Int32Array(new SharedArrayBuffer(4));
parentPort.on('message', ({ id, segments }) => {
  const order = Buffer.concat(segments).toString();
  if (order === 'throw') return parentPort.postMessage({ id, errorMessage: 'thrown on request' });
  if (order === 'die') process.exit(7);
  if (order === 'explode') setImmediate(() => { throw new Error('uncaught'); });
  if (order === 'hang') while (true) Atomics.wait(never, 0, 0, 10);
  if (order === 'wait') {
    for (let seen; (seen = Atomics.load(cancelled, 0)) !== id; ) Atomics.wait(cancelled, 0, seen, 1);
    return parentPort.postMessage({ id, cancelled: true });
  }
  if (order === 'explode') return;
  setTimeout(() => parentPort.postMessage({ id, outcome: { status: 200, inputTokens: Number(order) } }), 5);
});
`;

const order = (text: string, owner = 'a'): PoolBody => ({
  segments: [new Uint8Array(Buffer.from(text))],
  bytes: text.length,
  version: '2023-06-01',
  owner,
});

function open(t: TestScope, options: Partial<PoolOptions> = {}): CountPool {
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(
      "import { createRequire } from 'node:module'; " +
        `const require = createRequire(${JSON.stringify(import.meta.url)}); ${OBEDIENT}`,
    )}`,
  );
  const pool = new CountPool({ size: 1, script, ...options });
  t.onTestFinished(() => pool.close());
  return pool;
}

describe('a pool of counting threads', () => {
  test('counts each body for its own request', async (t) => {
    const pool = open(t, { size: 2 });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => pool.count(order(String(index), `owner ${index % 4}`))),
    );
    assert.deepEqual(
      outcomes,
      Array.from({ length: 20 }, (_, index) => ({ status: 200, inputTokens: index })),
    );
    assert.equal(pool.jobCount, 0);
  });

  test('fails only the request whose thread throws or dies', async (t) => {
    const pool = open(t);
    for (const outcome of ['throw', 'die', 'explode']) {
      const [failed, counted] = await Promise.allSettled([pool.count(order(outcome)), pool.count(order('4'))]);
      assert.ok(failed.status === 'rejected' && failed.reason instanceof WorkerCrashedError, outcome);
      assert.deepEqual(counted, { status: 'fulfilled', value: { status: 200, inputTokens: 4 } }, outcome);
    }
  });

  test('stops a count at the timeout and replaces its thread', { tags: ['slow'] }, async (t) => {
    const pool = open(t, { timeLimitMs: 2_000 });
    const hanging = pool.count(order('hang'));
    await assert.rejects(hanging, CountTimeoutError);
    assert.deepEqual(await pool.count(order('5')), { status: 200, inputTokens: 5 });
  });

  test('rejects a request as busy when it waits too long', async (t) => {
    const pool = open(t, { maxWaitMs: 100, timeLimitMs: 600 });
    const hanging = pool.count(order('hang'));
    const waiting = pool.count(order('1'));
    const results = await Promise.allSettled([hanging, waiting]);
    assert.deepEqual(
      results.map((result) => result.status === 'rejected' && (result.reason as Error).name),
      ['CountTimeoutError', 'QueueFullError'],
    );
  });

  test('limits the queue in number and bytes', async (t) => {
    const pool = open(t, { maxWaiting: 2, maxWaitingBytes: 10 });
    const running = pool.count(order('1'));
    const waiting = [pool.count(order('22222')), pool.count(order('3'))];
    await assert.rejects(pool.count(order('4')), QueueFullError, 'too many');
    await Promise.all([running, ...waiting]);
    const first = pool.count(order('1'));
    await assert.rejects(pool.count(order('55555555555')), QueueFullError, 'too many bytes');
    await first;
  });

  test('serves owners in turn and limits the queue of one owner', async (t) => {
    const pool = open(t, { maxWaitingPerOwner: 3 });
    const answered: number[] = [];
    const count = (text: string, owner: string) =>
      pool
        .count(order(text, owner))
        .then((outcome) => answered.push('inputTokens' in outcome ? outcome.inputTokens : -1));
    const greedy = ['1', '2', '3', '4'].map((text) => count(text, 'greedy'));
    await assert.rejects(pool.count(order('5', 'greedy')), QueueFullError);
    await Promise.all([...greedy, count('6', 'modest'), count('7', 'modest')]);
    assert.deepEqual(answered, [1, 6, 2, 7, 3, 4]);
  });

  test('gives no second thread to an owner when others wait', async (t) => {
    const pool = open(t, { size: 2 });
    const answered: string[] = [];
    const abortController = new AbortController();
    const held = assert.rejects(pool.count(order('wait', 'greedy'), abortController.signal), Cancelled);
    const count = (owner: string) => pool.count(order('1', owner)).then(() => answered.push(owner));
    // By these turns the last one of the greedy owner is longer ago than the first job of a new one.
    for (const owner of ['b', 'c', 'd']) await count(owner);
    await Promise.all([count('e'), count('greedy'), count('new')]);
    assert.deepEqual(answered, ['b', 'c', 'd', 'e', 'new', 'greedy']);
    abortController.abort();
    await held;
  });

  test('removes a queued job or cancels a running one when the client disconnects', async (t) => {
    const pool = open(t);
    const running = new AbortController();
    const waiting = new AbortController();
    const results = Promise.allSettled([
      pool.count(order('wait'), running.signal),
      pool.count(order('2'), waiting.signal),
      pool.count(order('3')),
    ]);
    waiting.abort();
    running.abort();
    const [one, two, three] = await results;
    assert.ok(one.status === 'rejected' && one.reason instanceof Cancelled);
    assert.ok(two.status === 'rejected' && two.reason instanceof Cancelled);
    assert.equal(three.status, 'fulfilled');
    await assert.rejects(pool.count(order('1'), AbortSignal.abort()), Cancelled);
  });
});
