// @module-tag slow
// @module-tag alone
// Runs in its own process, since it measures processor time and memory of the process.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { startServiceWithRoutes } from './support/every-route.ts';

let every: Awaited<ReturnType<typeof startServiceWithRoutes>>;
beforeAll(async () => {
  every = await startServiceWithRoutes();
});
afterAll(() => every.service.stop());

/**
 * Returns text that fits a body limit of 64 kB when compressed. It unpacks to 60 MB by deflate and to 256 MB by the
 * others.
 */
const createLetters = (megabytes: number): Buffer => Buffer.alloc(megabytes * 1024 * 1024, 'a');
const COMPRESSION_BOMBS: Readonly<Record<string, () => Buffer>> = {
  gzip: () => gzipSync(createLetters(60), { level: 9 }),
  deflate: () => deflateSync(createLetters(60), { level: 9 }),
  br: () => brotliCompressSync(createLetters(256), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: () => zstdCompressSync(createLetters(256)),
};

interface Sent {
  name: string;
  status: number;
  head: string;
}

const MEGABYTE = 1024 * 1024;
/** Size limit of a body in bytes, where its route sets none. */
const DEFAULT_LIMIT = MEGABYTE / 4;
const BODY_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Returns the routes that accept a body, each with its address, credentials and media type. */
const listBodyRoutes = () =>
  every.routes
    .filter(({ method }) => BODY_METHODS.includes(method))
    .map(({ method, url, bodyLimit = 0 }) => ({
      name: `${method} ${url}`,
      method,
      url,
      maxBytes:
        method === 'POST' && url === '/v1/messages/count_tokens' ? 32 * MEGABYTE : Math.max(bodyLimit, DEFAULT_LIMIT),
      path: url.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000').replace('*', 'x'),
      headers: {
        'content-type': /^\/_pay\/|^\/_(bank|brokerage)\/\w+\/:token/.test(url)
          ? 'application/x-www-form-urlencoded'
          : 'application/json',
      },
    }));

type BodyRoute = ReturnType<typeof listBodyRoutes>[number];

/** Resolves with the first of two events. */
const waitForEither = (socket: Socket, one: string, other: string): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      socket.off(one, done).off(other, done);
      resolve();
    };
    socket.on(one, done).on(other, done);
  });

/** Sends a request over its own connection and reads the head of the response. */
async function send(route: BodyRoute, headers: Record<string, string>, body: Buffer): Promise<Sent> {
  const credentials = await every.getCredentials(route);
  const { hostname, port } = new URL(every.service.url);
  const socket = connect(Number(port), hostname);
  // The service may close the connection before the whole body is sent.
  socket.on('error', () => {});
  const lines = Object.entries({ host: 'test', ...credentials, ...route.headers, ...headers }).map(
    ([key, value]) => `${key}: ${value}`,
  );
  socket.write(`${route.method} ${route.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  let head = '';
  socket.on('data', (chunk: Buffer) => {
    head += chunk.toString('latin1');
  });
  while (!head.includes('\r\n\r\n') && !socket.closed) await waitForEither(socket, 'data', 'close');
  socket.destroy();
  return { name: route.name, status: Number(head.split(' ')[1]), head: head.split('\r\n\r\n')[0]! };
}

/** Measures processor seconds of the process and its maximum growth in MB during the next half second. */
async function measureAfter(): Promise<{ seconds: number; megabytes: number }> {
  const cpu = process.cpuUsage();
  const memory = process.memoryUsage.rss();
  let maxUsage = memory;
  for (let sample = 0; sample < 10; sample += 1) {
    await sleep(50);
    maxUsage = Math.max(maxUsage, process.memoryUsage.rss());
  }
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (user + system) / 1e6, megabytes: (maxUsage - memory) / 1e6 };
}

function assertLowUsage(
  description: string,
  routes: number,
  { seconds, megabytes }: { seconds: number; megabytes: number },
): void {
  console.log(
    `${description}: ${routes} routes; after the answers ${seconds.toFixed(3)} s, ${megabytes.toFixed(1)} MB more`,
  );
  assert.ok(seconds < 0.2, `${description}: ${seconds} s of processor time after the answers`);
  assert.ok(megabytes < 20, `${description}: ${megabytes} MB more after the answers`);
}

/** Fakes whose callers hold a key reject a request without it before they read its body, each in its own way. */
const isRefusedEarlier = ({ name, status }: Sent): boolean =>
  (status === 401 && name.includes(' /_pay/v1/')) || (status === 400 && name.includes(' /_bank/'));

for (const [encoding, createBomb] of Object.entries(COMPRESSION_BOMBS))
  test(`returns 415 on every route without unpacking when a body uses ${encoding}`, async () => {
    const bomb = createBomb();
    assert.ok(bomb.length < 65_536, `${bomb.length} bytes`);
    const routes = listBodyRoutes();
    assert.ok(routes.length > 80, `${routes.length} routes`);
    const headers = { 'content-encoding': encoding, 'content-length': String(bomb.length) };
    const responses = await Promise.all(routes.map((route) => send(route, headers, bomb)));
    assertLowUsage(encoding, routes.length, await measureAfter());
    for (const { name, status, head } of responses.filter((response) => !isRefusedEarlier(response))) {
      assert.equal(status, 415, `${name} answered ${head}`);
      assert.match(head, /^accept-encoding: identity\r?$/m, name);
    }
  });

for (const framing of ['with its length', 'in chunks'])
  test(`returns 413 and stores nothing when a plain body is too large, sent ${framing}`, async () => {
    const routes = listBodyRoutes();
    const responses: Sent[] = [];
    for (const route of routes) {
      const body = Buffer.alloc(route.maxBytes + 1, ' ');
      const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
      responses.push(
        framing === 'in chunks'
          ? await send(route, { 'transfer-encoding': 'chunked' }, chunk)
          : await send(route, { 'content-length': String(body.length) }, body),
      );
    }
    assertLowUsage(`plain, ${framing}`, routes.length, await measureAfter());
    for (const { name, status, head } of responses.filter((response) => !isRefusedEarlier(response)))
      assert.equal(status, 413, `${name} answered ${head}`);
  });

const json = { 'content-type': 'application/json' };
const EARLY_RESPONSE_STATUSES: readonly [
  what: string,
  request: string,
  status: number,
  headers?: Record<string, string>,
][] = [
  ['no key on /v1', 'POST /v1/messages/count_tokens', 401],
  ['an unknown path of /v1', 'POST /v1/nothing', 404],
  ['no session', 'POST /api/watchlist', 401, json],
  ['a media type that is not taken', 'POST /api/referrals/track-signup', 415, { 'content-type': 'text/csv' }],
  ['too large a body', 'POST /api/referrals/track-signup', 413, json],
  ['a compressed body', 'POST /api/referrals/track-signup', 415, { ...json, 'content-encoding': 'gzip' }],
  ['too large a webhook', 'POST /api/webhooks/identity', 413, json],
  ['no token on /mcp', 'POST /mcp', 401, json],
  ['too large a sign-in', 'POST /_idp/v1/client/sign_ins', 413, json],
  ['too large a body at an unknown path', 'POST /nothing', 413, json],
  ['a read that has a body', 'GET /healthz', 200],
  ['a path that is no URL', 'POST /api/%E0%A4%A', 404],
];

/** Maximum bytes that the service discards, plus the buffers of both ends of a connection. */
const MAX_SENT_BYTES = (64 + 32) * MEGABYTE;

for (const [what, request, status, headers] of EARLY_RESPONSE_STATUSES)
  test(`ends the connection when a client keeps sending after the response to ${what}`, async () => {
    const { hostname, port } = new URL(every.service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      head += chunk.toString('latin1');
    });
    const fields = Object.entries({ host: 'test', 'transfer-encoding': 'chunked', ...headers });
    socket.write(`${request} HTTP/1.1\r\n${fields.map(([key, value]) => `${key}: ${value}`).join('\r\n')}\r\n\r\n`);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MEGABYTE, ' '), Buffer.from('\r\n')]);
    let sent = 0;
    for (; !socket.closed && sent < 2 * MAX_SENT_BYTES; sent += MEGABYTE)
      if (!socket.write(chunk)) await waitForEither(socket, 'drain', 'close');
    const wasEnded = socket.closed;
    socket.destroy();
    assert.equal(Number(head.split(' ')[1]), status, head.slice(0, 300));
    assert.ok(wasEnded && sent <= MAX_SENT_BYTES, `${sent / MEGABYTE} MB were taken`);
  });

test('returns no 5xx on any route when a body is nested 20,000 deep', async () => {
  const depth = 20_000;
  const body = Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const responses: Sent[] = [];
  for (const route of listBodyRoutes())
    responses.push(await send(route, { 'content-length': String(body.length) }, body));
  assert.deepEqual(
    responses.filter(({ status }) => !(status < 500)).map(({ name, status }) => `${name}: ${status}`),
    [],
  );
});
