// @module-tag slow
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, type TestContext } from 'vitest';
import { MAX_PER_CONNECTION } from '../../src/platform/http/limit-concurrency.ts';
import { UNREAD_RESPONSE_LIMITS } from '../../src/platform/http/limit-unread-response.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startServiceWithRoutes } from '../support/every-route.ts';
import { eventually } from '../support/eventually.ts';
import { sendRequest, SITE, TestBrowser } from '../support/identity.ts';
import { insertTickers } from '../support/many-tickers.ts';
import { createFolder } from '../support/memory-folder.ts';
import { createSeededDatabase, getDatabaseSettings } from '../support/service.ts';
import { createMemoryReader, READABLE_MEMORY } from '../support/process-memory.ts';
import { fillExample } from '../support/read-paths.ts';
import { startService } from '../support/service-process.ts';

const PIPELINED = 300;
const MEMORY_LIMIT_MB = 512;
/** Growth that is no leak, since later rounds add 2 MB each: compiled code and pages that are kept for later. */
const MAX_GROWTH_MB = 75;

/** Returns the largest resident memory that a process had so far. */
const readPeakMb = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

/** Connections that send at once, as several clients would. */
const CONNECTIONS = 128;

/** Returns the paths of all GET routes but the files of the web app, with the parameters of their examples. */
async function listReadPaths(): Promise<string[]> {
  const { service, routes } = await startServiceWithRoutes();
  await service.stop();
  const reads = routes.filter(({ method, url }) => method === 'GET' && !/\.\w{2,5}$/.test(url));
  return [...new Set(reads.map(fillExample)), '/openapi.json'];
}

/** Returns the path of the largest script of the web app. */
function findLargestScript(): string {
  const root = join(import.meta.dirname, '../../dist/web');
  const [largest] = globSync('assets/*.js', { cwd: root })
    .map((name) => ({ name, bytes: statSync(join(root, name)).size }))
    .sort((a, b) => b.bytes - a.bytes);
  return `/${largest!.name}`;
}

async function startMeasuredService(t: TestContext, database: TestDatabase, settings: Record<string, string> = {}) {
  const folder = await createFolder('tally-pipelined-');
  t.onTestFinished(() => rm(folder, { recursive: true }));
  const service = startService({
    ...getDatabaseSettings(database),
    DATA_DIR: folder,
    TRUSTED_PROXIES: '127.0.0.1',
    ...READABLE_MEMORY,
    ...settings,
  });
  t.onTestFinished(async () => {
    await service.end('SIGKILL');
  });
  const { hostname, port } = new URL(await service.ready);
  const readMemory = await createMemoryReader(t, service.output());
  return {
    hostname,
    port: Number(port),
    readPeakMb: () => readPeakMb(service.child.pid!),
    readMemoryMb: async () => (await readMemory()) / 1024 ** 2,
    isAlive: () => service.child.exitCode === null,
  };
}

/** Sends the requests of an address on one connection and reads none of the responses. */
function pipeline(
  { hostname, port }: { hostname: string; port: number },
  path: string,
  { address = '10.0.0.1', encoding = 'br', ...others }: Record<string, string> = {},
  requests = PIPELINED,
): Socket {
  const socket = connect(port, hostname);
  socket.on('error', () => {});
  socket.pause();
  const headers = { host: `${hostname}:${port}`, 'accept-encoding': encoding, 'x-forwarded-for': address, ...others };
  const lines = [`GET ${path} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`.repeat(requests));
  return socket;
}

test('lives and returns its memory when each GET route is pipelined 300 times and nobody reads', async (t) => {
  t.skip(process.platform !== 'linux', 'memory is read from /proc');
  const paths = await listReadPaths();
  expect(paths).toEqual(expect.arrayContaining(['/', '/docs', '/openapi.json', '/api/plans', '/api/watchlist']));
  const service = await startMeasuredService(t, await createTestDatabase(t));
  const read = async (path: string): Promise<Response> => {
    const response = await fetch(`http://${service.hostname}:${service.port}${path}`);
    await response.clone().arrayBuffer();
    return response;
  };
  for (const path of paths) await read(path);
  const before = await service.readMemoryMb();
  for (const path of paths) {
    const socket = pipeline(service, path);
    await sleep(200);
    socket.destroy();
    assert.ok(service.isAlive(), `the process ended at ${path}`);
  }
  const largest = ['/docs', '/openapi.json', findLargestScript()];
  const sockets = Array.from({ length: CONNECTIONS }, (_, i) =>
    pipeline(service, largest[i % largest.length]!, {
      address: `10.0.1.${i}`,
      encoding: i % 2 === 0 ? 'br' : 'identity',
    }),
  );
  // The service answers again after it has handled all of them.
  assert.equal((await read('/healthz')).status, 200);
  await sleep(1_000);
  const peak = service.readPeakMb();
  for (const socket of sockets) socket.destroy();
  await sleep(2_000);
  const after = await service.readMemoryMb();
  const figures = `${before.toFixed(0)} MB before, ${peak.toFixed(0)} at most, ${after.toFixed(0)} after`;
  console.log(`${paths.length} routes: ${figures}`);
  assert.ok(service.isAlive());
  assert.ok(peak < MEMORY_LIMIT_MB, figures);
  assert.ok(after - before < MAX_GROWTH_MB, figures);
  assert.equal((await read('/healthz')).status, 200);
});

/** Signs in a member of the first run, adds nine hundred holdings, and returns the authorization. */
async function signInWithHoldings(
  { database, firstRun }: Awaited<ReturnType<typeof createSeededDatabase>>,
  { hostname, port }: Awaited<ReturnType<typeof startMeasuredService>>,
): Promise<string> {
  const url = `http://${hostname}:${port}`;
  const { email, password } = firstRun.members.find(({ tier }) => tier === 'max')!;
  const browser = new TestBrowser(url);
  const { body } = await browser.call('POST', '/client/sign_ins', { identifier: email, password });
  const authorization = `Bearer ${await browser.token(body.response.created_session_id)}`;
  const symbols = await insertTickers(database, 900);
  const text = ['Symbol,Quantity', ...symbols.map((symbol) => `${symbol},1`)].join('\n');
  const imported = await sendRequest(`${url}/api/holdings/import`, 'POST', { text }, { authorization });
  assert.equal(imported.status, 200, JSON.stringify(imported.body));
  return authorization;
}

test('ends the connections of a member who does not read responses', async (t) => {
  t.skip(process.platform !== 'linux', 'memory is read from /proc');
  const seeded = await createSeededDatabase(t);
  const service = await startMeasuredService(t, seeded.database, {
    BASE_URL: SITE,
    API_RATE_LIMIT: '100000',
    // The heap that Node.js takes in a container of 512 MB. A larger one is collected later.
    NODE_OPTIONS: `${READABLE_MEMORY.NODE_OPTIONS} --max-old-space-size=256`,
  });
  const authorization = await signInWithHoldings(seeded, service);
  const path = '/api/investments/holdings';
  const read = () =>
    sendRequest(`http://${service.hostname}:${service.port}${path}`, 'GET', undefined, { authorization });
  const { status, body } = await read();
  assert.equal(status, 200);
  console.log(`a response of ${JSON.stringify(body).length} bytes`);
  const sockets = Array.from({ length: 60 }, (_, i) =>
    pipeline(service, path, { address: `10.0.2.${i}`, encoding: 'identity', authorization }, MAX_PER_CONNECTION),
  );
  await sleep(30_000);
  assert.equal((await read()).status, 200);
  const peak = service.readPeakMb();
  console.log(`${peak.toFixed(0)} MB at most`);
  assert.ok(service.isAlive());
  // All responses together have 850 MB, beside the memory of the service.
  assert.ok(peak < MEMORY_LIMIT_MB, `${peak.toFixed(0)} MB`);
  // Paused connections do not see that they were closed.
  await sleep(2 * UNREAD_RESPONSE_LIMITS.milliseconds);
  for (const socket of sockets) socket.resume();
  await eventually(async () => sockets.every(({ destroyed }) => destroyed));
});
