import assert from 'node:assert/strict';
import { test } from 'vitest';
import { QueueFullError } from './fair-queue.ts';
import { createFairSlots } from './fair-slots.ts';

const LIMITS = { slots: 2, slotsPerOwner: 1, maxWaitingPerOwner: 2, maxWaiting: 4, maxWaitMs: 60_000 };

/** Returns work that lasts until it is ended. */
function createWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve };
}

test('starts the work of another owner when one owner has its slot', async () => {
  const runInSlot = createFairSlots(LIMITS);
  const long = createWork();
  const attacks = [runInSlot({ owner: 'a' }, long.run), runInSlot({ owner: 'a' }, async () => {})];
  assert.equal(await runInSlot({ owner: 'b' }, async () => 'served'), 'served');
  long.end();
  await Promise.all(attacks);
});

test('keeps a reserved slot for jobs of rank 0', async () => {
  const runInSlot = createFairSlots({ ...LIMITS, reservedSlots: 1 });
  const long = createWork();
  const attacks = ['a', 'b'].map((owner) => runInSlot({ owner, rank: 1 }, long.run));
  assert.equal(await runInSlot({ owner: 'c' }, async () => 'served'), 'served');
  long.end();
  await Promise.all(attacks);
});

test('starts later work when the queue of an owner was full', async () => {
  const runInSlot = createFairSlots(LIMITS);
  const long = createWork();
  const accepted = Array.from({ length: 3 }, () => runInSlot({ owner: 'a' }, long.run));
  await assert.rejects(
    runInSlot({ owner: 'a' }, async () => {}),
    QueueFullError,
  );
  long.end();
  await Promise.all(accepted);
  await runInSlot({ owner: 'a' }, async () => {});
});

test('rejects the last work of a higher rank when work of a lower rank enters a full queue', async () => {
  const runInSlot = createFairSlots({ ...LIMITS, slots: 1, maxWaiting: 1 });
  const long = createWork();
  const running = runInSlot({ owner: 'a' }, long.run);
  const replaced = assert.rejects(
    runInSlot({ owner: 'b', rank: 1 }, async () => {}),
    QueueFullError,
  );
  const urgent = runInSlot({ owner: 'c' }, async () => 'served');
  await replaced;
  long.end();
  assert.equal(await urgent, 'served');
  await running;
});

test('frees the slot when work fails', async () => {
  const runInSlot = createFairSlots({ ...LIMITS, slots: 1 });
  const fail = async (): Promise<void> => {
    throw new Error('failed');
  };
  await assert.rejects(runInSlot({ owner: 'a' }, fail), /failed/);
  assert.equal(await runInSlot({ owner: 'a' }, async () => 'served'), 'served');
});

test('rejects waiting work when its signal aborts or its wait is too long', async () => {
  const runInSlot = createFairSlots({ ...LIMITS, slots: 1, maxWaitMs: 50 });
  const long = createWork();
  const running = runInSlot({ owner: 'a' }, long.run);
  const abortController = new AbortController();
  const neverRun = async (): Promise<void> => assert.fail('it was started');
  const aborted = runInSlot({ owner: 'b', signal: abortController.signal }, neverRun);
  const tooLate = runInSlot({ owner: 'c' }, neverRun);
  abortController.abort(new Error('aborted'));
  await assert.rejects(aborted, /aborted/);
  await assert.rejects(tooLate, QueueFullError);
  long.end();
  await running;
});
