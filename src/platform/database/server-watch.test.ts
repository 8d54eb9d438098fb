// @module-tag slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { TestScope } from '../../../test/support/test-scope.ts';
import { AppError } from '../../errors.ts';
import { connectDatabase } from './connect.ts';
import { withLongStatements } from './statement-timeouts.ts';

/** Connects through a proxy that can stop passing on what the server sends, on all connections or on new ones. */
async function connectThroughProxy(t: TestScope) {
  const { urls } = await createTestDatabase(t);
  const socketDir = decodeURIComponent(/[?&]host=([^&]+)/.exec(urls.authenticator)![1]!);
  const servers = new Set<Socket>();
  let holdsNewConnections = false;
  const proxy = createServer((client) => {
    const server = connect(join(socketDir, '.s.PGSQL.5432'));
    servers.add(server);
    client.pipe(server).pipe(client);
    if (holdsNewConnections) server.pause();
    for (const socket of [client, server]) socket.on('error', () => {});
    client.on('close', () => server.destroy());
    server.on('close', () => servers.delete(server));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const viaProxy = (url: string): string => url.replace(/@\/(\w+)\?.*/, `@127.0.0.1:${port}/$1`);
  const changes: (string | undefined)[] = [];
  const database = connectDatabase(
    { authenticator: viaProxy(urls.authenticator), service: viaProxy(urls.service) },
    { onAvailabilityChange: (isAvailable, reason) => changes.push(isAvailable ? 'available' : reason) },
  );
  t.onTestFinished(async () => {
    await database.close();
    proxy.close();
  });
  const holdNewConnections = (): void => {
    holdsNewConnections = true;
  };
  const setUnresponsive = (value: boolean): void => {
    holdsNewConnections = value;
    for (const server of servers) server[value ? 'pause' : 'resume']();
  };
  return { database, changes, holdNewConnections, setUnresponsive };
}

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === 'UNAVAILABLE';

test('returns the rows of a slow statement when the server responds to others', async (t) => {
  const { database } = await connectThroughProxy(t);
  assert.equal((await database.service.query('select pg_sleep(8)')).length, 1);
});

test('returns the rows of a slow statement when others fail and a check gets no response', async (t) => {
  const { database, changes, holdNewConnections } = await connectThroughProxy(t);
  // Opens two connections.
  await Promise.all([1, 2].map(() => database.service.query('select pg_sleep(0.5)')));
  holdNewConnections();
  let isDone = false;
  const slow = database.service.query('select pg_sleep(6)').finally(() => {
    isDone = true;
  });
  const failing = (async () => {
    while (!isDone) {
      await assert.rejects(database.service.query('select 1 / 0'), { code: '22012' });
      await sleep(100);
    }
  })();
  const [rows] = await Promise.all([slow, failing]);
  assert.equal(rows.length, 1);
  assert.deepEqual(changes, []);
});

test('ends the statements of requests when the server responds to nothing', async (t) => {
  const { database, changes, setUnresponsive } = await connectThroughProxy(t);
  await database.service.query('select 1');
  setUnresponsive(true);
  const job = withLongStatements(() => database.service.query('select 1 as one'));
  // More than there are connections, so that some wait for one.
  const waiting = Array.from({ length: 20 }, () => database.service.query('select 1'));
  for (const result of await Promise.allSettled(waiting))
    assert.ok(result.status === 'rejected' && isUnavailable(result.reason));
  await assert.rejects(database.asMember({ sub: 'user_a' }).query('select 1'), isUnavailable);
  assert.deepEqual(changes, ['the database server does not respond']);

  setUnresponsive(false);
  assert.deepEqual(await job, [{ one: 1 }], 'a job waits');
  await eventually(() => database.ping());
  assert.deepEqual(changes, ['the database server does not respond', 'available']);
});
