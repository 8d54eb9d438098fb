import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../run/free-port.ts';
import { createPart, listens, type Part } from './part.ts';
import { passwords } from './postgres.ts';

/** Debian puts some of them where only root's PATH looks. */
const env = { PATH: `${process.env['PATH']}:/usr/sbin` };

/** The programs beside ours that this machine lacks. */
export function missingPrograms(): string[] {
  const asks = { 'redis-server': '--version', pgbouncer: '--version', haproxy: '-v' };
  return Object.entries(asks)
    .filter(([program, option]) => spawnSync(program, [option], { env }).status !== 0)
    .map(([program]) => program);
}

interface Neighbour {
  part: Part;
  port: number;
}

function scratch(stack: AsyncDisposableStack, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `tally-${name}-`));
  chmodSync(folder, 0o755);
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function started(stack: AsyncDisposableStack, part: Part): Promise<Part> {
  await part.start();
  stack.defer(async () => void (await part.end('SIGKILL')));
  return part;
}

/** A Redis that keeps nothing on disk, as deploy/compose.yaml runs it. */
export async function startRedis(stack: AsyncDisposableStack): Promise<Neighbour> {
  const port = await freePort();
  const part = createPart('Redis', () => ({
    command: ['redis-server', '--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    serves: () => listens(port),
  }));
  return { part: await started(stack, part), port };
}

/** A PgBouncer in transaction mode before the server on that port, by docs/runbooks/external-database-poolers.md. */
export async function startPooler(stack: AsyncDisposableStack, database: number): Promise<Neighbour> {
  const folder = scratch(stack, 'pooler');
  const port = await freePort();
  const [users, ini] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')];
  const { authenticator, service, assistant } = passwords;
  const logins = { authenticator, service_authenticator: service, assistant_authenticator: assistant };
  writeFileSync(
    users,
    Object.entries(logins)
      .map(([login, password]) => `"${login}" "${password}"`)
      .join('\n'),
  );
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: users,
    pool_mode: 'transaction',
    max_client_conn: 300,
    default_pool_size: 10,
    // By default it refuses for 15 s after the server is back, and lets statements wait for 120 s while it is away.
    server_login_retry: 1,
    query_wait_timeout: 5,
    ignore_startup_parameters: 'extra_float_digits',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(ini, `[databases]\n* = host=127.0.0.1 port=${database}\n[pgbouncer]\n${lines.join('\n')}\n`);
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const part = createPart('pooler', () => ({
    command: ['pgbouncer', '--quiet', ...account, ini],
    options: { env },
    serves: () => listens(port),
  }));
  return { part: await started(stack, part), port };
}

/** The balancer with the settings of deploy/haproxy.cfg, before these ports of this machine. */
export async function startBalancer(stack: AsyncDisposableStack, servers: readonly number[]): Promise<Neighbour> {
  const folder = scratch(stack, 'balancer');
  const port = await freePort();
  const deployed = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8');
  const places = servers.map((each, i) => `  server server${i + 1} 127.0.0.1:${each}`).join('\n');
  const local = deployed
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/resolvers engine\n(?: {2}.*\n)+/, '')
    // A machine that is shared grants fewer open files.
    .replace('maxconn 20000', 'maxconn 2000')
    .replace(/ {2}server-template .*/g, places);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, local);
  const part = createPart('balancer', () => ({
    command: ['haproxy', '-db', '-f', file],
    options: { env },
    serves: () => listens(port),
  }));
  return { part: await started(stack, part), port };
}
