import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type CountServer, startCountServer } from '../../../../test/support/count-server.ts';
import { eventually } from '../../../../test/support/eventually.ts';

const MB = 1024 * 1024;
let server: CountServer;
beforeAll(async () => {
  server = await startCountServer();
});
afterAll(() => server.close());

function open(): Socket {
  const { hostname, port } = new URL(server.url);
  return connect(Number(port), hostname);
}

const head = (...headers: string[]): string =>
  [
    'POST /v1/messages/count_tokens HTTP/1.1',
    'host: localhost',
    `x-api-key: ${server.key}`,
    'svc-version: 2023-06-01',
    'content-type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');

/** Returns the text that the server sends until it closes the connection or `isComplete` returns true. */
function readResponse(socket: Socket, isComplete: (text: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (isComplete(text)) resolve(text);
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => resolve(text));
  });
}

const isWholeResponse = (text: string): boolean => /\r\n\r\n\{.*\}$/s.test(text);
const HELLO = JSON.stringify({ model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hi' }] });

describe('bodies while they stream in', () => {
  test('rejects a body before it is sent when content-length is too large', async () => {
    const socket = open();
    socket.write(head(`content-length: ${32 * MB + 1}`));
    const text = await readResponse(socket, isWholeResponse);
    socket.destroy();
    assert.match(text, /^HTTP\/1\.1 413 /);
    assert.match(text, /"type":"request_too_large"/);
  });

  test('rejects a chunked body with a readable response when it exceeds the limit', async () => {
    const socket = open();
    const response = readResponse(socket, isWholeResponse);
    socket.write(head('transfer-encoding: chunked'));
    const chunk = Buffer.alloc(MB, ' ');
    for (let sent = 0; sent < 34; sent += 1) {
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      if (!socket.write('\r\n'))
        await new Promise((resolve) => {
          socket.once('drain', resolve).once('close', resolve);
        });
    }
    assert.match(await response, /^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  test('accepts exactly 32 MB and rejects one byte more', { tags: ['slow'] }, async () => {
    const padToBytes = (bytes: number): string => {
      const empty = JSON.stringify({ model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hi' }], system: '' });
      return empty.replace('"system":""', `"system":"${'a '.repeat(bytes).slice(0, bytes - empty.length)}"`);
    };
    for (const [bytes, status] of [
      [32 * MB, 200],
      [32 * MB + 1, 413],
    ] as const) {
      const response = await server.post(padToBytes(bytes));
      await response.text();
      assert.equal(response.status, status);
    }
  });

  test('states a smaller limit when the process has little memory', async (t) => {
    const small = await startCountServer({ memory: 400 * MB }, t);
    const response = await small.post(' '.repeat(9 * MB));
    assert.equal(response.status, 413);
    assert.match(await response.text(), /maximum allowed number of bytes: 8388608 \(8 MB\)/);
    assert.equal((await small.post(HELLO)).status, 200);
  });

  test('frees the memory when the client disconnects before the announced length', async () => {
    const isDisconnected = async () =>
      Number(/tally_http_requests_total\{[^}]*status="499"\} (\d+)/.exec(await server.readMetrics())?.[1] ?? 0);
    const before = await isDisconnected();
    const socket = open();
    socket.write(head('content-length: 2000000', 'expect: 100-continue'));
    await readResponse(socket, (text) => text.startsWith('HTTP/1.1 100 '));
    socket.write(Buffer.alloc(MB, ' '), () => socket.destroy());
    assert.equal((await server.post(HELLO)).status, 200);
    await eventually(async () => (await isDisconnected()) > before);
    assert.equal(await isDisconnected(), before + 1);
  });

  test('responds in order when requests are pipelined', async () => {
    const socket = open();
    const invalidBody = HELLO.replace('user', 'tool');
    socket.write([HELLO, invalidBody, HELLO].map((body) => head(`content-length: ${body.length}`) + body).join(''));
    const text = await readResponse(socket, (all) => all.split('HTTP/1.1 ').length === 4 && isWholeResponse(all));
    socket.destroy();
    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]),
      ['200', '400', '200'],
    );
  });

  test('returns the same count when a body arrives byte by byte', async () => {
    const content = 'word '.repeat(70_000);
    const large = JSON.stringify({ model: 'claude-opus-5', messages: [{ role: 'user', content }] });
    for (const [body, piece] of [
      [HELLO, 1],
      [large, 10_001],
    ] as const) {
      const socket = open();
      socket.setNoDelay(true);
      const response = readResponse(socket, isWholeResponse);
      socket.write(head(`content-length: ${body.length}`));
      for (let at = 0; at < body.length; at += piece) socket.write(body.slice(at, at + piece));
      assert.match(await response, /^HTTP\/1\.1 200 /);
      socket.destroy();
    }
  });
});
