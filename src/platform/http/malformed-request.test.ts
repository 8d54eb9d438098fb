import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test, type TestContext } from 'vitest';
import { handleClientError, rejectExpectations, rejectAmbiguousHeaders } from './malformed-request.ts';

/** Timeout in ms of an incomplete request. A complete one is received in time even on a busy machine. */
const SHORT = 100;

/** Sends `text` to a server with this request timeout and returns the complete response. */
async function sendRaw(
  t: TestContext,
  text: string,
  listener: RequestListener = () => {},
  timeout = 10_000,
): Promise<string> {
  const server = createServer(
    { requestTimeout: timeout, headersTimeout: timeout, connectionsCheckingInterval: 20, requireHostHeader: false },
    (request, response) => {
      if (!rejectAmbiguousHeaders(request, response)) listener(request, response);
    },
  );
  rejectExpectations(server);
  server.on('clientError', (error, socket) => handleClientError(error, socket as Socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`;

test('returns 408 in the dialect of the path when the body times out', async (t) => {
  const sendPart = (text: string) => sendRaw(t, text, undefined, SHORT);
  const messages = await sendPart(post('/v1/messages/count_tokens'));
  assert.match(messages, /^HTTP\/1\.1 408 .*"error":\{"type":"timeout_error",/s);
  assert.match(messages, /"timeout_error","message":"The request took too long to arrive\."\},"request_id":"req_/);
  assert.match(messages, /\r\nrequest-id: req_/);
  assert.match(await sendPart(post('/_idp/v1/client/sign_ins')), /^HTTP\/1\.1 408 .*\{"errors":\[\{/s);
  const api = await sendPart(post('/api/watchlist').replace('host: x', 'host: x\r\nx-request-id: from-the-caller'));
  assert.match(api, /^HTTP\/1\.1 408 .*\r\nx-request-id: from-the-caller\r\n.*\{"code":"TIMEOUT",/s);
});

test('returns 400 when the input is not HTTP, and 431 when the headers are endless', async (t) => {
  const messages = await sendRaw(t, `${post('/v1/messages/count_tokens').slice(0, -3)}content-length: 9\r\n\r\n`);
  assert.match(messages, /^HTTP\/1\.1 400 .*\{"type":"error","error":\{"type":"invalid_request_error",/s);
  assert.match(messages, /"invalid_request_error","message":"This is not a valid HTTP request\."\}/);
  assert.match(
    await sendRaw(t, 'this is not http\r\n\r\n'),
    /^HTTP\/1\.1 400 .*\r\nx-request-id: req_.*\{"code":"INVALID_REQUEST",/s,
  );
  assert.match(await sendRaw(t, `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
});

test('rejects a missing or repeated host with 400 and an unknown expectation with 417', async (t) => {
  const handledPaths: string[] = [];
  const listener: RequestListener = (request, response) => {
    handledPaths.push(request.url!);
    response.end('reached');
  };
  const models = await sendRaw(t, 'GET /v1/models HTTP/1.1\r\nx: y\r\n\r\n', listener);
  assert.match(models, /^HTTP\/1\.1 400 .*\r\nrequest-id: req_.*"error":\{"type":"invalid_request_error",/s);
  assert.match(models, /"invalid_request_error","message":"The request has no host header/);
  assert.match(
    await sendRaw(t, 'GET /api/me HTTP/1.1\r\nhost: x\r\nexpect: the-best\r\n\r\n', listener),
    /^HTTP\/1\.1 417 .*\{"code":"INVALID_REQUEST","message":"The only supported expectation/s,
  );
  assert.match(
    await sendRaw(t, 'GET /_idp/v1/client HTTP/1.1\r\nx: y\r\n\r\n', listener),
    /^HTTP\/1\.1 400 .*\{"errors":\[\{/s,
  );
  for (const version of ['1.1', '1.0'])
    assert.match(
      await sendRaw(t, `GET /api/me HTTP/${version}\r\nhost: x\r\nHOST: y\r\n\r\n`, listener),
      /^HTTP\/1\.1 400 .*"message":"The request has several host headers; send one\."/s,
    );
  assert.deepEqual(handledPaths, []);
  assert.match(await sendRaw(t, 'GET /old HTTP/1.0\r\n\r\n', listener), /reached$/);
});

test('returns 400 in the path’s dialect when a credential is sent in two headers', async (t) => {
  const handledPaths: string[] = [];
  const listener: RequestListener = (request, response) => {
    handledPaths.push(request.url!);
    response.end('reached');
  };
  for (const [path, shape] of [
    ['/v1/models', /"error":\{"type":"invalid_request_error","message":"The request has several /],
    ['/api/me', /\{"code":"INVALID_REQUEST","message":"The request has several /],
    ['/api/internal/demo-access', /\{"code":"INVALID_REQUEST","message":"The request has several /],
    ['/mcp', /\{"code":"INVALID_REQUEST","message":"The request has several /],
    ['/_idp/v1/users', /\{"errors":\[\{"message":"The request has several /],
  ] as const)
    for (const repeatedHeader of [
      'authorization: Bearer a\r\nAuthorization: Bearer b',
      'authorization: Bearer a\r\nx: y\r\nauthorization: Bearer a',
      'x-api-key: a\r\nX-API-Key: b',
    ]) {
      const answer = await sendRaw(t, `GET ${path} HTTP/1.1\r\nhost: x\r\n${repeatedHeader}\r\n\r\n`, listener);
      assert.match(answer, /^HTTP\/1\.1 400 .*\r\nconnection: close\r\n/is, path);
      assert.match(answer, shape, path);
    }
  assert.deepEqual(handledPaths, []);
  const validRequest = 'GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n';
  assert.match(
    await sendRaw(t, `${validRequest}authorization: Bearer a\r\nx-api-key: b\r\n\r\n`, listener),
    /reached$/,
  );
});

test('cuts off a response that has started without an error in it', async (t) => {
  const answer = await sendRaw(t, 'GET / HTTP/1.1\r\nhost: x\r\n\r\nthis is not http\r\n\r\n', (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('begun');
  });
  assert.doesNotMatch(answer, /400/);
});

test('sends no second response when an answered request has a late body', async (t) => {
  const answer = await sendRaw(
    t,
    post('/api/watchlist'),
    (_request, response) => {
      response.writeHead(401, { 'content-length': '5' }).end('early');
    },
    1_000,
  );
  assert.match(answer, /^HTTP\/1\.1 401 [^]*\r\n\r\nearly$/);
});
