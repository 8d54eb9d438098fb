import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../test/support/eventually.ts';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { AppError } from '../../errors.ts';
import { createLogger } from './logger.ts';
import { createMemberLimiters, limitPerMember } from './member-rate-limit.ts';

test('returns 400 with an explanation when the body has a prototype-changing key', async (t) => {
  const app = await createTestHttpApp();
  t.onTestFinished(() => app.close());
  app.post('/api/things', { schema: { body: z.object({ a: z.unknown() }) } }, async () => ({}));
  const send = async (payload: string) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/things',
      headers: { 'content-type': 'application/json' },
      payload,
    });
    return [answer.statusCode, answer.json<{ issues: { message: string }[] }>().issues[0]!.message] as const;
  };
  for (const payload of ['{"__proto__":{"a":1}}', '{"a":[{"__proto__":1}]}', '{"constructor":{"prototype":{}}}']) {
    const [status, message] = await send(payload);
    assert.equal(status, 400);
    assert.match(message, /^the body must not contain the key "__proto__"/, payload);
  }
  assert.deepEqual(await send('{"__proto__":'), [400, 'the body is not valid JSON']);
});

test('returns 503 with retry-after when the disk is full', async (t) => {
  const app = await createTestHttpApp();
  t.onTestFinished(() => app.close());
  app.get('/api/full', async () => {
    throw Object.assign(new Error('could not extend file "base/1"'), { code: '53100' });
  });
  const { statusCode, headers, body } = await app.inject('/api/full');
  assert.deepEqual([statusCode, headers['retry-after'], JSON.parse(body).code], [503, '60', 'UNAVAILABLE']);
});

test('logs the line that an alert names when a request fails', async (t) => {
  const lines: { level: string; msg: string; method?: string; route?: string; err?: object }[] = [];
  const write = (line: string): void => {
    lines.push(JSON.parse(line) as (typeof lines)[number]);
  };
  const app = await createTestHttpApp({ logger: createLogger('warn', { write }) });
  t.onTestFinished(() => app.close());
  const failures: Record<string, Error> = {
    unexpected: new Error('a bug'),
    database: Object.assign(new Error('too many connections'), { code: '53300' }),
    // The line "database unavailable" tells of an outage, so that its requests are logged at debug.
    outage: Object.assign(new Error('terminating connection'), { code: '57P01' }),
    provider: new AppError('UNAVAILABLE'),
    payments: new AppError('PAYMENTS_UNAVAILABLE', { cause: new Error('timeout') }),
  };
  for (const [name, error] of Object.entries(failures)) {
    app.get(`/api/${name}/:id`, async () => {
      throw error;
    });
  }
  for (const name of Object.keys(failures)) await app.inject(`/api/${name}/7`);
  assert.deepEqual(
    lines.map(({ level, msg, method, route, err }) => [level, msg, method, route, err !== undefined]),
    [
      ['error', 'unexpected error', 'GET', '/api/unexpected/:id', true],
      ['warn', 'request failed: dependency error', 'GET', '/api/database/:id', true],
      ['warn', 'request failed: dependency error', 'GET', '/api/provider/:id', true],
      ['warn', 'request failed: dependency error', 'GET', '/api/payments/:id', true],
    ],
  );
  const alerts = readFileSync(new URL('../../../deploy/monitoring/alerts.yaml', import.meta.url), 'utf8');
  const actions = alerts.match(/action: .*log lines ".*/g) ?? [];
  assert.equal(actions.length, 2);
  for (const action of actions)
    for (const { level, msg } of lines) assert.match(action, new RegExp(`"${msg}" \\(level ${level}\\)`));
});

test('logs no error when a client leaves before its streamed response begins', async (t) => {
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
  };
  const app = await createTestHttpApp({ logger: createLogger('warn', { write }) });
  t.onTestFinished(() => app.close());
  const bodies: PassThrough[] = [];
  const left = Promise.withResolvers<void>();
  app.post('/api/stream', async (_request, reply) => {
    const body = new PassThrough();
    bodies.push(body);
    await left.promise;
    return reply.send(body);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  // The second response waits for the end of the first one.
  socket.write(
    'POST /api/stream HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'.repeat(2),
  );
  await eventually(() => bodies.length === 2);
  socket.destroy();
  await setTimeout(100);
  left.resolve();
  await eventually(() => bodies.every(({ closed }) => closed));
  // Fastify handles the end of the stream in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(lines, []);
});

test('returns 503 only for the loss of a server when the database reports an internal error', async (t) => {
  const app = await createTestHttpApp();
  t.onTestFinished(() => app.close());
  const messages = [
    'failure on connection marked as essential: 10.0.0.7:5432',
    'could not commit transaction for shard 102055 on at least one active node',
    'cache lookup failed',
  ];
  const statuses: number[] = [];
  for (const [index, message] of messages.entries()) {
    app.get(`/api/failure/${index}`, async () => {
      throw Object.assign(new Error(message), { code: 'XX000' });
    });
  }
  for (const index of messages.keys()) statuses.push((await app.inject(`/api/failure/${index}`)).statusCode);
  assert.deepEqual(statuses, [503, 503, 500]);
});

test('returns 503 on a keep-alive connection when the service is stopping', async (t) => {
  const app = await createTestHttpApp();
  t.onTestFinished(() => app.close());
  let answer: () => void = () => {};
  const under = new Promise<void>((resolve) => {
    answer = resolve;
  });
  app.get('/api/slow', async () => {
    await under;
    return {};
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let read = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    read += text;
  });
  const requestReceived = once(app.server, 'request');
  // Pipelined: the second request is sent while the first keeps the connection busy.
  socket.write('GET /api/slow HTTP/1.1\r\nhost: x\r\n\r\n');
  await requestReceived;
  const closed = app.close();
  const second = once(app.server, 'request');
  socket.write('GET /api/me HTTP/1.1\r\nhost: x\r\n\r\n');
  await second;
  answer();
  await Promise.all([closed, once(socket, 'close')]);
  const [, errorResponse = ''] = read.split(/(?=HTTP\/1\.1 503)/);
  assert.match(errorResponse, /^HTTP\/1\.1 503/);
  assert.match(errorResponse, /\r\nretry-after: 1\r\n/i);
  assert.match(errorResponse, /\r\nconnection: close\r\n/i);
  assert.match(errorResponse, /"code":"UNAVAILABLE","message":"The service is stopping/);
});

test('returns limit, remaining and reset headers when a limit counted the request', async (t) => {
  const app = await createTestHttpApp();
  t.onTestFinished(() => app.close());
  const check = limitPerMember(async () => ({ idpId: 'user_a' }), createMemberLimiters(2));
  app.get('/api/mine', async (request) => {
    await check(request);
    return {};
  });
  app.get('/api/open', async () => ({}));
  const readLimitHeaders = async (url: string) => {
    const { statusCode, headers } = await app.inject(url);
    const readHeader = (name: string) => headers[`ratelimit-${name}`];
    return [statusCode, readHeader('limit'), readHeader('remaining'), readHeader('reset')];
  };
  assert.deepEqual(await readLimitHeaders('/api/mine'), [200, '2', '1', '60']);
  assert.deepEqual(await readLimitHeaders('/api/mine'), [200, '2', '0', '60']);
  assert.deepEqual((await readLimitHeaders('/api/mine')).slice(0, 3), [429, '2', '0']);
  assert.deepEqual(await readLimitHeaders('/api/open'), [200, undefined, undefined, undefined]);
});
