import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTwoLanes } from './two-lanes.ts';

const takes =
  (milliseconds: number, result = 'done') =>
  async () => ({ result, milliseconds });
const isTooLong = (result: string): boolean => result === 'too long';

test('repeats work in the slow lane when it exceeds the quick limits', async () => {
  const runInLanes = createTwoLanes({ quickSlots: 1, slowSlots: 1, maxWaitMs: 60_000 });
  const job = { owner: 'a', runQuick: takes(250, 'too long'), runSlow: takes(900), isTooLong };
  assert.deepEqual(await runInLanes(job), { result: 'done', milliseconds: 1_150 });
});

test('starts in the slow lane when the quick time of the minute is used', async () => {
  const runInLanes = createTwoLanes({ quickSlots: 1, slowSlots: 1, maxWaitMs: 60_000 });
  const lanes: string[] = [];
  const createJob = (milliseconds: number) => ({
    owner: 'a',
    runQuick: () => {
      lanes.push('quick');
      return takes(milliseconds)();
    },
    runSlow: () => {
      lanes.push('slow');
      return takes(milliseconds)();
    },
    isTooLong,
  });
  for (let index = 0; index < 20; index += 1) await runInLanes(createJob(49));
  assert.equal(lanes.includes('slow'), false, 'work shorter than a unit is free');
  for (let index = 0; index < 4; index += 1) await runInLanes(createJob(249));
  assert.deepEqual(lanes.slice(20), ['quick', 'quick', 'quick', 'quick']);
  await runInLanes(createJob(1));
  assert.equal(lanes.at(-1), 'slow');
});

test('starts an owner first whose last work was short', async () => {
  const runInLanes = createTwoLanes({ quickSlots: 1, slowSlots: 1, maxWaitMs: 60_000 });
  const started: string[] = [];
  const run = (owner: string, result = 'done') =>
    runInLanes({
      owner,
      runQuick: async () => {
        started.push(owner);
        return takes(5, result)();
      },
      runSlow: takes(500),
      isTooLong,
    });
  await run('known');
  await run('long', 'too long');
  await Promise.all([run('first'), run('new'), run('long'), run('known')]);
  assert.deepEqual(started.slice(2), ['first', 'known', 'new', 'long']);
});

test('still counts an owner’s work as long after its slow work was canceled early', async () => {
  const runInLanes = createTwoLanes({ quickSlots: 1, slowSlots: 1, maxWaitMs: 60_000 });
  const leaving = new AbortController();
  const counted: boolean[] = [];
  const job = {
    owner: 'a',
    runQuick: (wasShort: boolean) => {
      counted.push(wasShort);
      return takes(5, 'too long')();
    },
    runSlow: () => {
      leaving.abort();
      return takes(10, 'canceled')();
    },
    isTooLong,
  };
  await runInLanes({ ...job, signal: leaving.signal });
  await runInLanes({ ...job, runSlow: takes(500) });
  assert.deepEqual(counted, [false, false]);
});

/** Returns a function that runs work of an owner in two lanes of two slots each. */
function createLanes() {
  const runInLanes = createTwoLanes({ quickSlots: 2, slowSlots: 2, maxWaitMs: 60_000 });
  return (owner: string, runQuick: () => Promise<{ result: string; milliseconds: number }>, runSlow = takes(500)) =>
    runInLanes({ owner, runQuick, runSlow, isTooLong });
}

/** Returns work that lasts until it is ended. */
function createWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise.then(takes(0)), end: resolve };
}

test('keeps one of several quick slots for owners whose last work was short', async () => {
  const run = createLanes();
  const work = createWork();
  await run('known', takes(5));
  await run('long', takes(5, 'too long'));
  const waiting = ['new', 'long'].map((owner) => run(owner, work.run));
  assert.equal((await run('known', takes(5))).result, 'done');
  work.end();
  await Promise.all(waiting);
});

test('keeps one of several slow slots for owners of short work whose quick time is used', async () => {
  const run = createLanes();
  const work = createWork();
  for (let index = 0; index < 15; index += 1) await run('known', takes(60));
  for (const owner of ['long', 'longer']) await run(owner, takes(750, 'too long'));
  const waiting = ['long', 'longer'].map((owner) => run(owner, takes(0, 'never run'), work.run));
  assert.deepEqual(await run('known', takes(0, 'never run'), takes(60)), { result: 'done', milliseconds: 60 });
  work.end();
  await Promise.all(waiting);
});
