import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test, type TestContext } from 'vitest';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { limitConcurrencyPerAddress } from './limit-concurrency.ts';

/** Returns a handler that waits until `finish` is called, and the number of requests that reached it. */
function createWaitingHandler() {
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const handler = { calls: 0, finish, handle: async () => {} };
  handler.handle = async () => {
    handler.calls += 1;
    await finished;
  };
  return handler;
}

/** Returns an app, open until the test ends, whose route `/api/slow` waits until the handler is finished. */
async function createWaitingApp(t: TestContext) {
  const app = await createTestHttpApp();
  t.onTestFinished(() => app.close());
  const handler = createWaitingHandler();
  app.get('/api/slow', async () => {
    await handler.handle();
    return {};
  });
  return { app, handler };
}

test('starts 32 of 800 pipelined requests of a connection and rejects the others', async (t) => {
  const { app, handler } = await createWaitingApp(t);
  await app.listen({ host: '127.0.0.1', port: 0 });
  let requests = 0;
  const allReceived = new Promise<void>((resolve) => {
    app.server.on('request', () => {
      requests += 1;
      if (requests === 800) resolve();
    });
  });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write('GET /api/slow HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(800));
  await allReceived;
  while (handler.calls < 32) await new Promise(setImmediate);
  await new Promise(setImmediate);
  assert.equal(handler.calls, 32);
  handler.finish();
  await once(socket, 'close');
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(statuses, [...Array<string>(32).fill('200'), '429']);
  assert.match(text, /"code":"RATE_LIMITED","message":"This connection has too many requests in progress/);
  assert.match(text, /\r\nretry-after: 1\r\n/);
});

test('reads a connection no further when it is above its limit', async (t) => {
  const { app, handler } = await createWaitingApp(t);
  app.get('/api/quick', async () => ({}));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  let requests = 0;
  app.server.on('request', ({ url: path }) => {
    if (path === '/api/slow') requests += 1;
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  t.onTestFinished(() => {
    handler.finish();
    socket.destroy();
  });
  const request = 'GET /api/slow HTTP/1.1\r\nhost: x\r\n\r\n';
  socket.write(request.repeat(200_000));
  while (requests <= 32) await new Promise(setImmediate);
  // During each of these requests a server that still reads the connection reads more of it.
  for (let turn = 0; turn < 30; turn += 1) await (await fetch(`${url}/api/quick`)).text();
  // Node reads at most 64 KiB at once, so a second part may be under way.
  assert.ok(requests < (2 * 65_536) / request.length, `${requests} requests`);
});

test('accepts as many requests again when a connection has received its responses', async (t) => {
  const app = await createTestHttpApp();
  t.onTestFinished(() => app.close());
  app.get('/api/quick', async () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  let count = 0;
  for (const expected of [32, 64, 96]) {
    const received = new Promise<void>((resolve) => {
      socket.on('data', (chunk: string) => {
        count += [...chunk.matchAll(/HTTP\/1\.1 200/g)].length;
        if (count === expected) resolve();
      });
    });
    socket.write('GET /api/quick HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(32));
    await received;
    socket.removeAllListeners('data');
  }
  socket.destroy();
});

test('rejects a request when its address has the maximum number in progress', async (t) => {
  const app = await createTestHttpApp({ trustedProxies: ['127.0.0.1'] });
  t.onTestFinished(() => app.close());
  limitConcurrencyPerAddress(app, 2);
  const handler = createWaitingHandler();
  app.get('/api/slow', async () => {
    await handler.handle();
    return {};
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/slow`;
  const send = (address: string) => fetch(url, { headers: { 'x-forwarded-for': address } });
  const pending = [send('2001:db8::1'), send('2001:db8::2')];
  while (handler.calls < 2) await new Promise(setImmediate);
  const rejected = await send('2001:db8::3');
  assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [429, '1']);
  const other = send('2001:db8:0:1::1');
  while (handler.calls < 3) await new Promise(setImmediate);
  handler.finish();
  const responses = await Promise.all([...pending, other]);
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal((await send('2001:db8::3')).status, 200);
});
