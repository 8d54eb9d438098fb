// @module-tag slow
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { eventually } from '../test/support/eventually.ts';
import { prepareData } from '../test/support/prepared-data.ts';
import { isServerFile } from './dev/start-vite.ts';
import { listProcesses, type ServiceProcess, startService } from '../test/support/service-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
let dataDir = '';
let dev: ServiceProcess;
let url = '';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tally-dev-'));
  await prepareData(dataDir);
  dev = startService({ DATA_DIR: dataDir, LOG_LEVEL: 'info' }, ['tools/dev.ts']);
  url = await dev.ready;
});
afterAll(async () => {
  await dev.end('SIGKILL');
  await eventually(() => listProcesses(dataDir).length === 0);
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the process id of the embedded database, which changes at every start. */
const postmaster = (): Promise<string> => readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8');

/** Updates the times of a file without changing its content. */
const touch = (path: string): Promise<void> => utimes(join(root, path), new Date(), new Date());

test("serves pages with the development client under the server's policy", async () => {
  const page = await fetch(`${url}/settings/api-keys`);
  const html = await page.text();
  assert.equal(page.status, 200);
  assert.match(html, /<script type="module" src="\/@vite\/client" nonce="[^"]+"/);
  assert.match(html, /<script type="module" src="\/main\.ts" nonce="[^"]+"/);
  const nonce = / nonce="([^"]+)"/.exec(html)?.[1];
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.ok(policy.includes(`script-src 'self' 'nonce-${nonce}';`), policy);
  assert.ok(policy.includes("default-src 'none';"), policy);
  const script = await fetch(`${url}/main.ts`);
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/);
});

test('serves the page of components, which the product does not have', async () => {
  const page = await fetch(`${url}/dev/ui`);
  assert.deepEqual([page.status, (await page.text()).includes('src="/gallery/main.tsx"')], [200, true]);
  assert.equal((await fetch(`${url}/gallery/main.tsx`)).status, 200);
});

test('rebuilds the page of demo links under its own policy', async () => {
  const page = await fetch(`${url}/Demo-Access/`, { redirect: 'manual' });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<title>Open the Tally demo<\/title>/);
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'sha256-[^']+';/);
});

test('forwards other requests to the server, including unknown pages', async () => {
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  const config = (await (await fetch(`${url}/api/config`)).json()) as { base_url: string };
  assert.equal(config.base_url, url);
  const notFound = await fetch(`${url}/nowhere`, { headers: { accept: 'text/html' } });
  assert.deepEqual([notFound.status, (await notFound.text()).includes('/@vite/client')], [404, true]);
  assert.match((await fetch(`${url}/nowhere`)).headers.get('content-type') ?? '', /^application\/json/);
});

test('notifies the browser when a screen changes', async () => {
  const client = await (await fetch(`${url}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1];
  await (await fetch(`${url}/@fs${root}src/features/site/ui/landing-page.tsx`)).text();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  const printed: string[] = [];
  socket.addEventListener('message', ({ data }) => printed.push(String(data)));
  await eventually(() => printed.some((message) => message.includes('"connected"')));
  await touch('src/features/site/ui/landing-page.tsx');
  await eventually(() => printed.some((message) => /"type":"update".*landing-page\.tsx/.test(message)));
  socket.close();
});

test('restarts the server on the running database when its file changes', async () => {
  const listening = (): string[] => [...dev.output().matchAll(/listening at (http:[^"]+)/g)].map(([, at]) => at!);
  const [first] = listening();
  const database = await postmaster();
  await touch('src/platform/http/health.ts');
  await eventually(() => /^src\/platform\/http\/health\.ts: server restarted in [\d.]+ s$/m.test(dev.output()));
  // The log and the line above arrive on two pipes.
  await eventually(() => listening().length === 2);
  const [, second] = listening();
  assert.equal((await fetch(`${second}/readyz`)).status, 200);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  await assert.rejects(fetch(`${first}/readyz`), 'the one before has ended');
  assert.equal(await postmaster(), database);
});

test('rejects a second instance on the data directory in one sentence', async () => {
  const other = startService({ DATA_DIR: dataDir }, ['tools/dev.ts']);
  await assert.rejects(other.ready);
  assert.equal(await other.end('SIGKILL'), 1);
  assert.match(other.output(), new RegExp(`^npm run dev: .*${dataDir}[^\n]*\n$`));
});

test('stops everything that it started when it receives a signal', async () => {
  const last = [...dev.output().matchAll(/listening at (http:[^"]+)/g)].at(-1)?.[1];
  assert.equal(await dev.end('SIGTERM'), 0);
  assert.deepEqual(listProcesses(dataDir), []);
  for (const closedUrl of [url, last!]) await assert.rejects(fetch(closedUrl));
});

test('restarts nothing when a file changes that the server does not load', () => {
  const files = {
    'src/platform/http/health.ts': true,
    'src/features/watchlist/contract.ts': true,
    'src/ui/shell/route-paths.ts': true,
    'src/ui/kit/formats.ts': true,
    'db/migrations/20261122_09_name.sql': true,
    '.env': true,
    'src/features/watchlist/ui/card.tsx': false,
    'src/features/watchlist/ui/card/sort-rows.ts': false,
    'src/ui/shell/app.tsx': false,
    'src/platform/http/http.test.ts': false,
    'docs/reference/glossary.md': false,
  };
  for (const [file, expected] of Object.entries(files)) assert.equal(isServerFile(file), expected, file);
});
