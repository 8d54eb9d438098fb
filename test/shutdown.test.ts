// @module-tag slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventuallyEquals } from './support/eventually.ts';
import { startService } from './support/service.ts';

function isComplete(response: string): boolean {
  const headerEnd = response.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(response)?.[1] ?? 0);
  return headerEnd >= 0 && response.length >= headerEnd + 4 + length;
}

/** Opens a keep-alive connection. `send` writes and reads until the response is complete. */
async function openKeptConnection(t: TestContext, url: string) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  t.onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  const response = async (): Promise<string> => {
    let isOpen = true;
    while (isOpen && !isComplete(text)) {
      const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [undefined])]);
      isOpen = chunk !== undefined;
    }
    const completeResponse = text;
    text = '';
    return completeResponse;
  };
  return {
    socket,
    answer: response,
    send: async (bytes: string) => {
      socket.write(bytes);
      return await response();
    },
  };
}

const BODY = JSON.stringify({ model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello' }] });

const countRequest = (key: string): string =>
  `POST /v1/messages/count_tokens HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\nsvc-version: 2023-06-01\r\n` +
  `content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n`;

test('finishes an upload at a stop and does not wait for keep-alive connections', async (t) => {
  const service = await startService({ TOKEN_COUNT_RATE_LIMITS: 'off' });
  const ending: { stopped?: Promise<void> } = {};
  t.onTestFinished(() => ending.stopped ?? service.stop());
  const request = countRequest(service.firstRun.api_key);
  const uploading = await openKeptConnection(t, service.url);
  const busy = await openKeptConnection(t, service.url);
  const idle = await openKeptConnection(t, service.url);
  for (const { send } of [busy, idle]) assert.match(await send(request + BODY), /^HTTP\/1\.1 200/);
  uploading.socket.write(request + BODY.slice(0, 10));
  // A response on another connection shows that the service has read the earlier bytes.
  assert.match(await busy.send(request + BODY), /^HTTP\/1\.1 200/);

  const closed = once(idle.socket, 'close');
  const stopped = service.stop();
  ending.stopped = stopped;
  let settled = false;
  void stopped.then(() => {
    settled = true;
  });
  await closed;
  // The busy client sends as long as possible. The response must announce that the connection ends.
  for (let sent = 0; !busy.socket.destroyed && sent < 20; sent += 1) {
    const response = await busy.send(request + BODY);
    if (response === '') break;
    assert.match(response, /connection: close/i, response);
  }
  assert.equal(settled, false, 'the upload is waited for');
  uploading.socket.write(BODY.slice(10));
  const counted = await uploading.answer();
  assert.match(counted, /^HTTP\/1\.1 200/);
  assert.match(counted, /connection: close/i);
  await stopped;
});

test('closes a connection at a stop when it has sent no whole request head', async (t) => {
  const service = await startService();
  const silent = await openKeptConnection(t, service.url);
  const slow = await openKeptConnection(t, service.url);
  slow.socket.write('GET /readyz HTTP/1.1\r\n');
  await service.stop();
  await eventuallyEquals(() => [silent.socket.destroyed, slow.socket.destroyed], [true, true]);
});

test('serves requests until it closes while it reports not ready', async (t) => {
  const service = await startService({ TOKEN_COUNT_RATE_LIMITS: 'off', TRUSTED_PROXIES: '127.0.0.1' });
  const ending: { stopped?: Promise<void> } = {};
  t.onTestFinished(() => ending.stopped ?? service.stop());
  const keptConnection = await openKeptConnection(t, service.url);
  const request = countRequest(service.firstRun.api_key) + BODY;
  assert.match(await keptConnection.send(request), /^HTTP\/1\.1 200/);
  const stopped = service.stop();
  ending.stopped = stopped;
  for (const path of ['/readyz', '/healthz'])
    await eventuallyEquals(async () => (await fetch(service.url + path)).status, 503);
  // A kept connection, a new one and an ordinary route all get a response.
  const responses = [
    await keptConnection.send(request),
    await (await openKeptConnection(t, service.url)).send(request),
  ];
  for (const response of responses) assert.match(response, /^HTTP\/1\.1 200[^]*connection: close/i);
  assert.equal((await fetch(`${service.url}/api/config`)).status, 200);
  await stopped;
  await assert.rejects(fetch(`${service.url}/api/config`));
});

test('keeps draining while its balancer sends requests, up to a maximum', async (t) => {
  const service = await startService({ TOKEN_COUNT_RATE_LIMITS: 'off', TRUSTED_PROXIES: '127.0.0.1' });
  const ending: { stopped?: Promise<void> } = {};
  t.onTestFinished(() => ending.stopped ?? service.stop());
  const request = countRequest(service.firstRun.api_key) + BODY;
  let settled = false;
  ending.stopped = service.stop();
  void ending.stopped.then(() => {
    settled = true;
  });
  // The balancer sends for twice the drain time, each time on a new connection, as if it noticed the state late.
  for (const end = performance.now() + 4_000; performance.now() < end; await sleep(50))
    assert.match(await (await openKeptConnection(t, service.url)).send(request), /^HTTP\/1\.1 200/);
  while (!settled) {
    await fetch(`${service.url}/api/config`).catch(() => {});
    await sleep(50);
  }
});
