import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../src/platform/http/reserve-port.ts';
import type { TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { PROGRAM_PATH } from './parts.ts';
import type { TestScope } from './test-scope.ts';

/**
 * Starts a PgBouncer in front of this database. Returns the URL of the login in DB_URL through it. Ends with the test.
 */
export async function startPgBouncer(
  t: TestScope,
  { name, urls }: TestDatabase,
  mode: 'transaction' | 'session',
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-pooler-'));
  const reservedPort = await reservePort('127.0.0.1');
  const socket = decodeURIComponent(/[?&]host=([^&]+)/.exec(urls.authenticator)![1]!);
  const passwords = [urls.authenticator, urls.service, urls.assistant!].map((url) => {
    const [, user, password] = /:\/\/([^:]+):([^@]+)@/.exec(url)!;
    return `"${user}" "${decodeURIComponent(password!)}"`;
  });
  writeFileSync(join(folder, 'users.txt'), passwords.join('\n'), { mode: 0o644 });
  const settings = [
    '[databases]',
    `* = host=${socket}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${reservedPort.port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${join(folder, 'users.txt')}`,
    `pool_mode = ${mode}`,
    'max_client_conn = 200',
    'default_pool_size = 10',
    'ignore_startup_parameters = extra_float_digits',
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), settings.join('\n'), { mode: 0o644 });
  // PgBouncer does not run as root, and its account must be able to read the files.
  spawnSync('chmod', ['755', folder]);
  const runAsNobody = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  await reservedPort.release();
  const pooler = spawn('pgbouncer', ['--quiet', ...runAsNobody, join(folder, 'pgbouncer.ini')], {
    env: { PATH: PROGRAM_PATH },
    stdio: 'ignore',
  });
  const ended = once(pooler, 'exit');
  t.onTestFinished(async () => {
    pooler.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  });
  await eventually(() => isListening(reservedPort.port));
  const [, credentials] = /:\/\/([^@]+)@/.exec(urls.authenticator)!;
  return `postgres://${credentials}@127.0.0.1:${reservedPort.port}/${name}`;
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const client = connect(port, '127.0.0.1', () => resolve(client.destroy() !== undefined));
    client.on('error', () => resolve(false));
  });
