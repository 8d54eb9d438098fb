import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'vitest';
import { openSharedRedis } from './shared-redis.ts';

test('logs no outage when it is closed before the connection is ready', async (t) => {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  t.onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  const warnings: unknown[] = [];
  const logger = { info: () => {}, warn: (...parts: unknown[]) => warnings.push(parts) };
  const { port } = server.address() as AddressInfo;
  const redis = openSharedRedis(`redis://:password@127.0.0.1:${port}`, logger);
  const [socket] = await once(server, 'connection');
  socket.resume();
  await redis.close();
  await once(socket, 'close');
  await new Promise(setImmediate);
  assert.deepEqual(warnings, []);
});
