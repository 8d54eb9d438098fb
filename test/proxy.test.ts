// @module-tag slow
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, constants } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { fileURLToPath } from 'node:url';
import { reservePort } from '../src/platform/http/reserve-port.ts';
import { issueCertificates } from './support/certificates.ts';
import { eventually, eventuallyEquals } from './support/eventually.ts';
import { PROGRAM_PATH, skipWithout } from './support/parts.ts';
import { startService, type TestService } from './support/service.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The site of the page. */
const SITE = new URL('https://tally.example.com');

/** Returns a section of docs/how-to/put-a-proxy-in-front.md. */
function readSection(heading: string): string {
  const page = readFileSync(join(root, 'docs/how-to/put-a-proxy-in-front.md'), 'utf8');
  return new RegExp(`^## ${heading}\n([^]*?)^## `, 'm').exec(page)![1]!;
}

/** Returns the commands of a section, in their order. */
const readCommands = (heading: string): string[] =>
  [...readSection(heading).matchAll(/(?:Run|and) `([a-z][^`]+)`/g)].map((match) => match[1]!);

/** Returns the settings that a section tells to set. */
const readSettings = (heading: string): Record<string, string> =>
  Object.fromEntries([...readSection(heading).matchAll(/`([A-Z_]+)=([^`]+)`/g)].map((match) => [match[1]!, match[2]!]));

async function findFreePort(): Promise<number> {
  const { port, release } = await reservePort('127.0.0.1');
  await release();
  return port;
}

/** Creates a folder in place of `/etc/haproxy` or `/etc/nginx/conf.d`, in which the page's commands run. */
function createProxyFolder(t: TestContext, mount: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tally-proxy-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const issued = join(folder, 'issued');
  mkdirSync(issued);
  const { ca, certificate, key } = issueCertificates(issued);
  const replaceFiles = (text: string): string =>
    text
      .replaceAll(mount, folder)
      .replaceAll('/etc/letsencrypt/live/tally.example.com/fullchain.pem', certificate)
      .replaceAll('/etc/letsencrypt/live/tally.example.com/privkey.pem', key);
  const run = (command: string): void => {
    execFileSync('sh', ['-ec', replaceFiles(command)], { cwd: root, env: { PATH: PROGRAM_PATH }, stdio: 'pipe' });
  };
  return { folder, ca, replaceFiles, run };
}

/** Starts a proxy whose port accepts TLS, and waits until it reaches a ready server. */
async function startProxy(t: TestContext, program: string, args: string[], { port, ca }: { port: number; ca: string }) {
  const proxy = spawn(program, args, { env: { PATH: PROGRAM_PATH }, stdio: 'ignore' });
  const ended = once(proxy, 'exit');
  t.onTestFinished(async () => {
    proxy.kill('SIGTERM');
    await ended;
  });
  /** Sends a request like a browser on the site of the page's settings. */
  const send = (path: string, form?: Record<string, string>): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const headers = {
        host: SITE.host,
        origin: SITE.origin,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      };
      const options = {
        host: 'localhost',
        servername: 'localhost',
        port,
        path,
        headers,
        ca: readFileSync(ca),
        agent: false,
      };
      const sent = request({ ...options, method: form ? 'POST' : 'GET' }, (response) => {
        const body = response.setEncoding('utf8').toArray() as Promise<string[]>;
        void body.then((chunks) => resolve({ status: response.statusCode!, text: chunks.join('') }), reject);
      });
      sent.on('error', reject).end(form && new URLSearchParams(form).toString());
    });
  const get = (path: string) => send(path);
  await eventually(() => get('/readyz').then(({ status }) => status === 200, () => false)); // prettier-ignore
  return { get, send };
}

/** Checks that the first member signs in through the proxy, as browsers do. */
async function assertSignsIn({ firstRun }: TestService, { send }: Pick<Proxy, 'send'>): Promise<void> {
  const { email: identifier, password } = firstRun.members[0]!;
  const { status, text } = await send('/_idp/v1/client/sign_ins', { identifier, password });
  assert.equal(status, 200, text);
}

type Proxy = Awaited<ReturnType<typeof startProxy>>;

/** Follows the page's steps for haproxy, in front of these servers, and starts it. */
async function startHaproxy(t: TestContext, servers: readonly string[]) {
  const { folder, ca, replaceFiles, run } = createProxyFolder(t, '/etc/haproxy');
  const [copy, concatenate, protect, check] = readCommands('haproxy');
  run(copy!);
  const plainPort = await findFreePort();
  const port = await findFreePort();
  const file = join(folder, 'haproxy.cfg');
  const lines = servers.map((url, index) => `  server s${index} ${new URL(url).host}`).join('\n');
  const config = readFileSync(file, 'utf8')
    // Only root may become another user.
    .replace(/^ {2}(user|group) haproxy\n/gm, '')
    .replace('bind :::80 v4v6', `bind 127.0.0.1:${plainPort}`)
    .replace('bind :::443 v4v6', `bind 127.0.0.1:${port}`)
    .replaceAll('  server a 127.0.0.1:3000\n  # server b 127.0.0.1:3001', lines);
  writeFileSync(file, replaceFiles(config));
  for (const command of [concatenate, protect]) run(command!);
  run(check!.replace(' && systemctl reload haproxy', ''));
  const proxy = await startProxy(t, 'haproxy', ['-f', file], { port, ca });
  return { ...proxy, port, ca, plainUrl: `http://127.0.0.1:${plainPort}` };
}

/** Follows the page's steps for nginx, in front of a server, and starts it. */
async function startNginx(t: TestContext, server: string) {
  const { folder, ca, replaceFiles, run } = createProxyFolder(t, '/etc/nginx/conf.d');
  const [copy, check] = readCommands('nginx');
  run(copy!);
  const plainPort = await findFreePort();
  const port = await findFreePort();
  const file = join(folder, 'tally.conf');
  const config = readFileSync(file, 'utf8')
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('server 127.0.0.1:3000 ', `server ${new URL(server).host} `);
  writeFileSync(file, replaceFiles(config));
  // What a package of nginx has around the file.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const main = `${user} daemon off; pid ${folder}/pid; error_log ${folder}/log; events {}
    http { access_log off; ${paths.join(' ')} include ${file}; }`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  const args = ['-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')];
  run(check!.replace('nginx -t && nginx -s reload', `nginx -t ${args.join(' ')}`));
  const proxy = await startProxy(t, 'nginx', args, { port, ca });
  return { ...proxy, plainUrl: `http://127.0.0.1:${plainPort}` };
}

test('nginx serves over TLS and sends browsers there', async (t) => {
  skipWithout(t, 'nginx');
  const service = await startService({ ...readSettings('nginx'), WORKER: 'off' });
  t.onTestFinished(() => service.stop());
  const { get, send, plainUrl } = await startNginx(t, service.url);
  assert.match((await get('/readyz')).text, /"status":"ready"/);
  await assertSignsIn(service, { send });
  const redirect = await fetch(`${plainUrl}/portfolio`, { redirect: 'manual' });
  assert.equal(redirect.status, 301);
  assert.match(redirect.headers.get('location')!, /^https:\/\/.*\/portfolio$/);
});

test('nginx returns errors in the shape of each interface when no server is reached', async (t) => {
  skipWithout(t, 'nginx');
  const service = await startService({ ...readSettings('nginx'), WORKER: 'off' });
  t.onTestFinished(() => service.stop());
  const { get } = await startNginx(t, service.url);
  await service.stop();
  const page = await get('/api/config');
  assert.deepEqual([page.status, JSON.parse(page.text).code], [503, 'UNAVAILABLE']);
  const api = await get('/v1/models');
  assert.deepEqual([api.status, JSON.parse(api.text).error.type], [503, 'overloaded_error']);
});

test('haproxy serves over TLS and loses no request when one of two servers stops', async (t) => {
  skipWithout(t, 'haproxy');
  const settings = { ...readSettings('haproxy'), WORKER: 'off' };
  const first = await startService(settings);
  t.onTestFinished(() => first.stop());
  const second = await startService(settings, first.database);
  t.onTestFinished(() => second.stop());
  const { get, send, plainUrl } = await startHaproxy(t, [first.url, second.url]);

  assert.match((await get('/readyz')).text, /"status":"ready"/);
  await assertSignsIn(first, { send });
  const redirect = await fetch(`${plainUrl}/portfolio`, { redirect: 'manual' });
  assert.deepEqual(
    [redirect.status, redirect.headers.get('location')],
    [301, `https://${new URL(plainUrl).host}/portfolio`],
  );
  let hasStopped = false;
  void second.stop().finally(() => {
    hasStopped = true;
  });
  while (!hasStopped) assert.equal((await get('/api/config')).status, 200);
  assert.equal((await get('/api/config')).status, 200);
});

test('haproxy returns errors in the shape of each interface when no server is ready', async (t) => {
  skipWithout(t, 'haproxy');
  const service = await startService({ ...readSettings('haproxy'), WORKER: 'off' });
  t.onTestFinished(() => service.stop());
  const { get, port, ca } = await startHaproxy(t, [service.url]);
  await service.stop();
  await eventuallyEquals(async () => (await get('/api/config')).status, 503);
  assert.match((await get('/api/config')).text, /^\{"code":"UNAVAILABLE"/);
  assert.match((await get('/v1/models')).text, /^\{"type":"error","error":\{"type":"overloaded_error"/);

  // Browsers use HTTP/2, and send the body after the headers.
  const client = connect(`https://localhost:${port}`, { ca: readFileSync(ca) });
  t.onTestFinished(() => client.close());
  const form = client.request({ ':method': 'POST', ':path': '/_idp/v1/client/sign_ins' });
  setTimeout(() => form.end('identifier=a'), 200);
  const [headers] = (await once(form, 'response')) as [Record<string, unknown>];
  assert.equal(headers[':status'], 503);
  const closed = once(form, 'close');
  assert.match((await form.setEncoding('utf8').toArray()).join(''), /^\{"code":"UNAVAILABLE"/);
  await closed;
  assert.equal(form.rstCode, constants.NGHTTP2_NO_ERROR);
});
