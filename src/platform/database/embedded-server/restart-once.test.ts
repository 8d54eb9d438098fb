import assert from 'node:assert/strict';
import { test } from 'vitest';
import { restartOnce } from './restart-once.ts';
import type { SupervisedServer } from './supervise.ts';

/** Creates a fake server that the test can end. */
function server() {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const stopped = { count: 0 };
  const supervised: SupervisedServer = {
    ended: promise,
    async stop() {
      stopped.count += 1;
      resolve(0);
    },
  };
  return { ...supervised, stopped, end: resolve };
}

const nextTurn = () => new Promise(setImmediate);

test('reports the second exit of a server that it restarted', async () => {
  const first = server();
  const second = server();
  const notifications: string[] = [];
  restartOnce(first, {
    async restart() {
      notifications.push('restart');
      return second;
    },
    onRestarted: (code) => notifications.push(`restarted after ${code}`),
    onLost: (code) => notifications.push(`lost ${code}`),
  });
  first.end(137);
  await nextTurn();
  second.end(1);
  await nextTurn();
  assert.deepEqual(notifications, ['restart', 'restarted after 137', 'lost 1']);
});

test('reports a failed restart', async () => {
  const notifications: string[] = [];
  const failingServer = server();
  restartOnce(failingServer, {
    restart: () => Promise.reject(new Error('no')),
    onLost: (code) => notifications.push(`lost ${code}`),
  });
  failingServer.end(137);
  await nextTurn();
  assert.deepEqual(notifications, ['lost 137']);

  const first = server();
  const second = server();
  const restarted = restartOnce(first, { restart: async () => second, onLost: () => notifications.push('never') });
  first.end(137);
  await nextTurn();
  await restarted.stop();
  await nextTurn();
  assert.deepEqual([notifications, second.stopped.count], [['lost 137'], 1]);
  const unsupervised = server();
  await restartOnce(unsupervised, {
    restart: () => assert.fail('it was asked to end'),
    onLost: () => notifications.push('never'),
  }).stop();
  await nextTurn();
  assert.deepEqual(notifications, ['lost 137']);
});
