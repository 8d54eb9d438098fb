import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type CountServer, startCountServer } from '../../../../test/support/count-server.ts';

let server: CountServer;
beforeAll(async () => {
  server = await startCountServer();
});
afterAll(() => server.close());

const ORIGIN = 'https://app.example';
const HELLO = { model: 'claude-opus-5', messages: [{ role: 'user', content: 'Hello' }] };

function count(headers: Record<string, string>, to = server): Promise<Response> {
  return fetch(`${to.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'x-api-key': to.key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(HELLO),
  });
}

function preflight(path: string, to = server): Promise<Response> {
  const headers = {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'anthropic-dangerous-direct-browser-access,content-type,x-api-key',
  };
  return fetch(to.url + path, { method: 'OPTIONS', headers });
}

async function readMessage(response: Response): Promise<string> {
  return ((await response.json()) as { error: { message: string } }).error.message;
}

describe('a request of another origin', () => {
  test('is counted when it has the header of the official client', async () => {
    const response = await count({ origin: ORIGIN, 'anthropic-dangerous-direct-browser-access': 'true' });

    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('access-control-expose-headers'), '*');
    assert.equal(response.headers.get('access-control-allow-credentials'), null);
  });

  test('gets 401 with a readable message when it lacks the header', async () => {
    const response = await count({ origin: ORIGIN });

    assert.equal(response.status, 401);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(
      await readMessage(response),
      "CORS requests must set 'anthropic-dangerous-direct-browser-access' header",
    );
  });

  test('can read an error when the key is wrong', async () => {
    const headers = { origin: ORIGIN, 'anthropic-dangerous-direct-browser-access': 'true', 'x-api-key': 'sk-wrong' };
    const response = await count(headers);

    assert.equal(response.status, 401);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
  });

  test.each(['null', 'not a url', 'https://app.example.evil'])('gets 401 when its origin is %s', async (origin) => {
    const response = await count({ origin });

    assert.equal(response.status, 401);
  });

  test('is not restricted when it comes from a page of the service', async () => {
    const sameHost = await count({ origin: server.url });
    const behindProxy = await count({ origin: 'https://tally.example', 'sec-fetch-site': 'same-origin' });

    assert.equal(sameHost.status, 200);
    assert.equal(sameHost.headers.get('access-control-allow-origin'), null);
    assert.equal(behindProxy.status, 200);
  });
});

describe('a preflight request', () => {
  test('is allowed for the key and the headers of the official client', async () => {
    const response = await preflight('/v1/messages/count_tokens?beta=true');

    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('access-control-allow-headers'), 'authorization, *');
    assert.match(response.headers.get('access-control-allow-methods') ?? '', /POST/);
    assert.equal(response.headers.get('access-control-allow-credentials'), null);
  });

  test.each(['/v1/files', '/api/watchlist'])('is not allowed when the path is %s', async (path) => {
    const response = await preflight(path);

    assert.equal(response.status, 404);
    assert.equal(response.headers.get('access-control-allow-origin'), null);
  });
});

test('requests of other origins get 401 when the setting is off', async (t) => {
  const closed = await startCountServer({ browserAccess: false }, t);

  const response = await count({ origin: ORIGIN, 'anthropic-dangerous-direct-browser-access': 'true' }, closed);
  const asked = await preflight('/v1/messages/count_tokens', closed);

  assert.equal(response.status, 401);
  assert.match(await readMessage(response), /not allowed by the settings of this service/);
  assert.equal(response.headers.get('access-control-allow-origin'), null);
  assert.equal(asked.status, 405);
  assert.equal(asked.headers.get('access-control-allow-origin'), null);
});

test('the official client counts when it runs in a browser', async () => {
  const client = new Anthropic({
    baseURL: server.url,
    apiKey: server.key,
    dangerouslyAllowBrowser: true,
    defaultHeaders: { origin: ORIGIN, 'anthropic-dangerous-direct-browser-access': 'true' },
  });

  const counted = await client.messages.countTokens({
    model: 'claude-opus-5',
    messages: [{ role: 'user', content: 'Hello' }],
  });

  assert.ok(counted.input_tokens > 3);
});
