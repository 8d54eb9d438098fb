import assert from 'node:assert/strict';
import { test } from 'vitest';
import { keepRunning } from './keep-running.ts';
import type { Supervised } from './supervise.ts';

/** A server that ends when it is told to. */
function server() {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const stopped = { count: 0 };
  const supervised: Supervised = {
    ended: promise,
    async stop() {
      stopped.count += 1;
      resolve(0);
    },
  };
  return { ...supervised, stopped, end: resolve };
}

const turn = () => new Promise(setImmediate);

test('a server that ends by itself is started again once; its second end is told', async () => {
  const [first, second] = [server(), server()];
  const told: string[] = [];
  keepRunning(first, {
    restart: async () => (told.push('restart'), second),
    restarted: (code) => told.push(`restarted after ${code}`),
    lost: (code) => told.push(`lost ${code}`),
  });
  first.end(137);
  await turn();
  second.end(1);
  await turn();
  assert.deepEqual(told, ['restart', 'restarted after 137', 'lost 1']);
});

test('one that cannot be started again is lost, and one that is stopped is not started', async () => {
  const told: string[] = [];
  const failing = server();
  keepRunning(failing, { restart: () => Promise.reject(new Error('no')), lost: (code) => told.push(`lost ${code}`) });
  failing.end(137);
  await turn();
  assert.deepEqual(told, ['lost 137']);

  const [first, second] = [server(), server()];
  const kept = keepRunning(first, { restart: async () => second, lost: () => told.push('never') });
  first.end(137);
  await turn();
  await kept.stop();
  await turn();
  assert.deepEqual([told, second.stopped.count], [['lost 137'], 1]);
  const alone = server();
  await keepRunning(alone, {
    restart: () => assert.fail('it was asked to end'),
    lost: () => told.push('never'),
  }).stop();
  await turn();
  assert.deepEqual(told, ['lost 137']);
});
