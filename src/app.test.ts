import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { createTestDatabase } from '../test/support/database.ts';
import { eventually } from '../test/support/eventually.ts';
import { createApp } from './app.ts';
import { settings } from './config/settings.ts';
import { createLogger } from './platform/http/logger.ts';

// The client itself closes an unused connection after a minute.
test('closes the connection to Redis when the web app cannot be read', { timeout: 30_000 }, async (t) => {
  const openSockets = new Set<Socket>();
  const redis = createServer((socket) => {
    openSockets.add(socket);
    socket.once('close', () => openSockets.delete(socket)).resume();
  }).listen(0, '127.0.0.1');
  t.onTestFinished(() => {
    redis.close();
    for (const socket of openSockets) socket.destroy();
  });
  await once(redis, 'listening');
  const webRoot = await mkdtemp(join(tmpdir(), 'tally-web-'));
  t.onTestFinished(() => rm(webRoot, { recursive: true }));
  await writeFile(join(webRoot, 'index.html'), '<!doctype html>');
  const { database } = await createTestDatabase(t);
  const connected = once(redis, 'connection');

  const started = createApp({
    config: settings.parse({ WORKER: 'off', REDIS_URL: `redis://127.0.0.1:${(redis.address() as AddressInfo).port}` }),
    secrets: {
      idp_secret_key: 'sk_0123456789abcdef0123456789abcdef',
      idp_webhook_secret: 'whsec_c2VjcmV0',
      idp_publishable_key: 'pk',
      connections_key: 'c0'.repeat(32),
    } as never,
    database,
    logger: createLogger('silent'),
    baseUrl: 'http://127.0.0.1:3000',
    webRoot,
  });

  await assert.rejects(started, /ENOENT/);
  await connected;
  await eventually(() => openSockets.size === 0);
});
