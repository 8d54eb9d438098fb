import assert from 'node:assert/strict';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'vitest';
import { createLogger } from '../../platform/http/logger.ts';
import { createAfterResponseQueue } from './after-response-queue.ts';

/** Sends one response from a real server. The client can disconnect. */
async function respond(t: TestContext, handle: (response: ServerResponse, leave: () => void) => void) {
  const server = createServer((_request, response) => handle(response, () => client.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.close();
  });
  const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => {}).on('response', (answer) => answer.resume());
}

test('runs work after the response and hides its failure from the client', async (t) => {
  const later = createAfterResponseQueue(createLogger('silent'));
  const order = await new Promise<string[]>((resolve) => {
    const seen: string[] = [];
    void respond(t, (response) => {
      later.add(response, 'a failure', () => Promise.reject(new Error('away')));
      later.add(response, 'some work', async () => resolve([...seen, 'work']));
      response.on('finish', () => seen.push('finish')).end('ok');
    });
  });
  assert.deepEqual(order, ['finish', 'work']);
  await later.waitUntilIdle();
});

test('runs work when the client disconnected before it was queued', async (t) => {
  const later = createAfterResponseQueue(createLogger('silent'));
  await new Promise<void>((resolve) => {
    void respond(t, (response, leave) => {
      response.once('close', () => setImmediate(() => later.add(response, 'a backfill', async () => resolve())));
      leave();
    });
  });
  await later.waitUntilIdle();
});
