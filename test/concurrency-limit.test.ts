import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { afterAll, beforeAll, test, type TestContext } from 'vitest';
import { MAX_PER_ADDRESS, MAX_V1_PER_ADDRESS } from '../src/platform/http/limit-concurrency.ts';
import { startServiceWithRoutes } from './support/every-route.ts';
import { eventually } from './support/eventually.ts';

let every: Awaited<ReturnType<typeof startServiceWithRoutes>>;
beforeAll(async () => {
  every = await startServiceWithRoutes();
});
afterAll(() => every.service.stop());

const isV1 = ({ url }: { url: string }): boolean => url.startsWith('/v1');

/** Sends requests whose bodies do not end, until the test ends. */
async function holdRequests(t: TestContext, route: { method: string; url: string }, count: number): Promise<void> {
  const { hostname, port } = new URL(every.service.url);
  const headers = { ...(await every.getCredentials(route)), host: `${hostname}:${port}`, 'content-length': '10' };
  const head = [
    `${route.method} ${route.url} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json',
  ];
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    t.onTestFinished(() => {
      socket.destroy();
    });
  }
}

/** Returns the routes that do not reject an address with the maximum of requests in progress. */
async function listAccepting(routes: typeof every.routes): Promise<string[]> {
  const accepting: string[] = [];
  for (const { method, url } of routes) {
    const path = url.replaceAll(/:\w+/g, 'x').replace('*', 'x');
    const response = await fetch(`${every.service.url}${path}`, { method });
    const isRejected = response.status === 429 && response.headers.get('retry-after') === '1';
    if (!isRejected) accepting.push(`${method} ${url}: ${response.status}`);
    await response.body?.cancel();
  }
  return accepting;
}

test('rejects an address on every route when 256 of its requests are in progress', async (t) => {
  await holdRequests(t, { method: 'POST', url: '/api/watchlist' }, MAX_PER_ADDRESS);
  const routes = every.routes.filter((route) => !isV1(route));
  assert.ok(routes.length > 100);
  await eventually(async () => (await fetch(`${every.service.url}/api/plans`)).status === 429);
  assert.deepEqual(await listAccepting(routes), []);
});

test('rejects an address on every route of /v1 when 1,024 of its requests there are in progress', async (t) => {
  await holdRequests(t, { method: 'POST', url: '/v1/messages/count_tokens' }, MAX_V1_PER_ADDRESS);
  const routes = every.routes.filter(isV1);
  assert.ok(routes.length >= 3);
  await eventually(async () => (await fetch(`${every.service.url}/v1/models`)).status === 429);
  assert.deepEqual(await listAccepting(routes), []);
});
