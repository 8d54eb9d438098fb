/**
 * Runs what an image holds, from its mounted root: as uid 10001, on a root that cannot be written, ended by signals
 * (scripts/prove-image.sh builds it and says how to call this). Arguments: the root, and "yes" or "no" for the embedded
 * PostgreSQL. Exit code 1 where something is not as it should be.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from '../src/database/embedded.ts';
import { freePort } from './run/free-port.ts';

const [root = '', embedded = 'yes'] = process.argv.slice(2);
const data = mkdtempSync(join(tmpdir(), 'tally-image-'));
chownSync(data, 10001, 10001);
const running = new Set<ChildProcess>();

/** A process of the image and everything that it prints. */
interface ImageProcess {
  child: ChildProcess;
  output(): string;
  /** Waits until a line matches and returns the match; throws with the output where the process ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends the signal and returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `tally …` as the image's entry point does, in a mount namespace of its own. */
function runImage(args: readonly string[], settings: Record<string, string>): ImageProcess {
  const mounts = [
    `mount --bind '${root}' '${root}'`,
    `mount -o remount,ro,bind '${root}'`,
    `mount -t tmpfs tmpfs '${root}/tmp'`,
    `mount -t proc proc '${root}/proc'`,
    `mount --rbind /dev '${root}/dev'`,
    ...(embedded === 'yes' ? [`mount --bind '${data}' '${root}/data'`] : []),
  ].join(' && ');
  const user = ['--reuid', '10001', '--regid', '10001', '--clear-groups', '--no-new-privs', '--bounding-set=-all'];
  const enter = ['chroot', root, 'env', '-C', '/app', 'setpriv', ...user];
  const program = ['tini', '-s', '--', 'node', 'bin/tally.mjs', ...args];
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', NODE_ENV: 'production' };
  const child = spawn('unshare', ['-m', 'sh', '-c', `${mounts} && exec "$@"`, 'sh', ...enter, ...program], {
    env: { ...env, DATA_DIR: '/data', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close') as Promise<[number | null]>;
  void ended.then(() => running.delete(child));
  return {
    child,
    output: () => text,
    async says(pattern) {
      for (let waited = 0; waited < 120_000; waited += 50) {
        const match = pattern.exec(text);
        if (match) return match;
        if (child.exitCode !== null) break;
        await sleep(50);
      }
      throw new Error(`tally ${args.join(' ')} never said ${pattern}:\n${text}`);
    },
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null) child.kill(signal);
      return (await ended)[0];
    },
  };
}

const body = JSON.stringify({ model: 'claude-sonnet-5', messages: [{ role: 'user', content: 'Hello, world' }] });
const count = (base: string, key: string): Promise<Response> =>
  fetch(`${base}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'svc-version': '2023-06-01', 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(20_000),
  });

/** The image with its own PostgreSQL: first start, count, health, stop, and a second start on the same volume. */
async function tryEmbedded(): Promise<void> {
  const port = String(await freePort());
  for (const start of ['first', 'second']) {
    const service = runImage(['start'], { HOST: '127.0.0.1', PORT: port });
    const [, base = ''] = await service.says(/^ready (http\S+)$/m);
    const { api_key } = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')) as { api_key: string };
    const answer = await count(base, api_key);
    assert.deepEqual([answer.status, Object.keys((await answer.json()) as object)], [200, ['input_tokens']]);
    assert.equal((await fetch(`${base}/readyz`)).status, 200);
    assert.match(await (await fetch(`${base}/sign-in`)).text(), /<script/);
    assert.deepEqual(uidsOf(service.child), ['10001']);
    assert.equal(await service.end(), 0);
    console.log(`ok ${start} start: ready, counted, ended by SIGTERM with exit code 0`);
  }
}

/** The users as whom the process and its children run. */
function uidsOf({ pid }: ChildProcess): string[] {
  const listed = spawnSync('ps', ['-o', 'uid=', '--pid', String(pid), '--ppid', String(pid)], { encoding: 'utf8' });
  return [...new Set(listed.stdout.split(/\s+/).filter(Boolean))];
}

/** The image without PostgreSQL, as compose.yaml puts it together, with a rolling restart while requests arrive. */
async function tryCompose(): Promise<void> {
  const server = await startEmbedded({
    dataDir: join(data, 'postgres'),
    secrets: { authenticator: 'a', service: 'b', assistant: 'c' },
    throwaway: true,
  });
  const [databasePort = 0, redisPort, proxyPort, ...ports] = await Promise.all(Array.from({ length: 5 }, freePort));
  const { urls, relayed } = await relay(server, databasePort);
  const secret = (): string => randomBytes(32).toString('hex');
  const settings = {
    HOST: '127.0.0.1',
    BASE_URL: `http://127.0.0.1:${proxyPort}`,
    ...urls,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    TRUSTED_PROXIES: '127.0.0.1',
    IDP_SECRET_KEY: secret(),
    IDP_PUBLISHABLE_KEY: `pk_${secret()}`,
    IDP_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    DEMO_ACCESS_OPERATOR_TOKEN: secret(),
    CONNECTIONS_KEY: secret(),
    TOKEN_COUNT_RATE_LIMITS: '50,2000,4000,8000',
    SHUTDOWN_DRAIN_SECONDS: '2',
  };
  const others: ChildProcess[] = [];
  try {
    const serving = { ...settings, DB_OWNER_URL: '' };
    const migration = runImage(['migrate'], settings);
    await once(migration.child, 'close');
    assert.equal(migration.child.exitCode, 0, migration.output());
    others.push(
      spawn('redis-server', ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', ''], { stdio: 'ignore' }),
    );
    const start = (port?: number): ImageProcess =>
      runImage(['start'], { ...serving, WORKER: 'off', PORT: String(port) });
    const servers = ports.map(start);
    const worker = runImage(['worker'], serving);
    for (const one of servers) await one.says(/^ready http/m);
    await worker.says(/^ready worker$/m);
    others.push(startBalancer(proxyPort!, ports));
    const base = settings.BASE_URL;
    for (let tries = 0; (await statusOf(`${base}/readyz`)) !== 200; tries += 1) {
      assert.ok(tries < 100, 'the balancer finds no server');
      await sleep(100);
    }
    const made = runImage(['keys', 'create', '--name', 'image', '--json'], serving);
    await once(made.child, 'close');
    const { key } = JSON.parse(made.output()) as { key: string };
    const statuses = await Promise.all(Array.from({ length: 200 }, async () => (await count(base, key)).status));
    const allowed = statuses.filter((status) => status === 200).length;
    assert.equal(allowed, 50, `of 200 counts ${allowed} were allowed by two servers`);
    console.log('ok two servers behind the balancer allow exactly 50 of 200 counts');
    await rollWhileAsked(base, servers, (index) => start(ports[index]));
    assert.equal(await worker.end(), 0);
    for (const one of servers) assert.equal(await one.end(), 0, one.output());
    console.log('ok servers and worker end by SIGTERM with exit code 0');
  } finally {
    for (const child of others) child.kill();
    for (const child of running) child.kill('SIGKILL');
    relayed.close();
    await server.stop();
  }
}

const statusOf = async (url: string): Promise<number> => (await fetch(url).catch(() => undefined))?.status ?? 0;

/** Each server is ended and started anew while a page is asked for all the time; no request may fail. */
async function rollWhileAsked(base: string, servers: ImageProcess[], start: (index: number) => ImageProcess) {
  let asking = true;
  const statuses = new Map<number, number>();
  const asker = (async () => {
    while (asking) {
      // Not /healthz, at which a server that stops says so while it goes on serving.
      const status = await statusOf(`${base}/sign-in`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  })();
  for (const [index, one] of servers.entries()) {
    assert.equal(await one.end(), 0, one.output());
    servers[index] = start(index);
    await servers[index].says(/^ready http/m);
    // Until the balancer has seen it.
    await sleep(2_000);
  }
  asking = false;
  await asker;
  assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
  console.log(`ok a rolling restart of both servers failed none of ${statuses.get(200)} requests`);
}

/** haproxy with deploy/haproxy.cfg, whose servers are named by the engine there and by ports here. */
function startBalancer(port: number, ports: readonly number[]): ChildProcess {
  const file = join(data, 'haproxy.cfg');
  const servers = ports.map((one, index) => `  server server${index + 1} 127.0.0.1:${one}`).join('\n');
  const config = readFileSync(new URL('../deploy/haproxy.cfg', import.meta.url), 'utf8')
    .replace(/^resolvers[\s\S]*?\n\n/m, '')
    .replace(/^ {2}server-template .*$/gm, servers)
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/^ {2}maxconn .*$/m, '  maxconn 2000'); // of files, a process here may open fewer than a container
  assert.ok(config.includes('server server2') && !config.includes('resolvers'), 'deploy/haproxy.cfg has changed');
  writeFileSync(file, config);
  return spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
}

/** The server listens on a private socket alone: a port of this machine is relayed to it, and the URLs name that. */
async function relay(
  { ownerUrl }: { ownerUrl: string },
  port: number,
): Promise<{ urls: Record<string, string>; relayed: Server }> {
  const owner = new URL(ownerUrl.replace('@/', '@socket/'));
  const path = join(owner.searchParams.get('host')!, '.s.PGSQL.5432');
  const relayed = createServer((socket) => {
    const upstream = connect(path);
    pipeline(socket, upstream, socket, () => {});
  }).listen(port, '127.0.0.1');
  await once(relayed, 'listening');
  const at = (login: string): string => `postgres://${login}@127.0.0.1:${port}${owner.pathname}`;
  const urls = {
    DB_OWNER_URL: at(`${owner.username}:${owner.password}`),
    DB_URL: at('authenticator:a'),
    DB_SERVICE_ROLE_KEY: 'b',
    DB_ASSISTANT_KEY: 'c',
  };
  return { urls, relayed };
}

try {
  await (embedded === 'yes' ? tryEmbedded() : tryCompose());
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(data, { recursive: true, force: true });
}
