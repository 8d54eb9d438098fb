import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../src/platform/http/reserve-port.ts';
import type { TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { PROGRAM_PATH } from './parts.ts';
import type { TestScope } from './test-scope.ts';

/**
 * Starts a PgBouncer in front of this database with deploy/pgbouncer.ini. Returns the URL of the login in DB_URL through
 * it. Ends with the test.
 */
export async function startPgBouncer(
  t: TestScope,
  database: TestDatabase,
  mode: 'transaction' | 'session',
): Promise<string> {
  const folder = createPoolerFolder(t);
  const config = readFileSync(new URL('../../deploy/pgbouncer.ini', import.meta.url), 'utf8');
  writeFileSync(join(folder, 'pgbouncer.ini'), config.replace('pool_mode = transaction', `pool_mode = ${mode}`));
  const { authenticator, service, assistant } = database.urls;
  const logins = [authenticator, service, assistant!].map((url) => {
    const [, user, password] = /:\/\/([^:]+):([^@]+)@/.exec(url)!;
    return `"${user}" "${decodeURIComponent(password!)}"`;
  });
  writeFileSync(join(folder, 'userlist.txt'), logins.join('\n'));
  const port = await runPgBouncer(t, getPoolerTarget(database), folder);
  const [, credentials] = /:\/\/([^@]+)@/.exec(authenticator)!;
  return `postgres://${credentials}@127.0.0.1:${port}/tally`;
}

/** Creates a folder in place of `/etc/pgbouncer`. */
export function createPoolerFolder(t: TestScope): string {
  const folder = mkdtempSync(join(tmpdir(), 'tally-pooler-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Returns how PgBouncer names this database. */
export const getPoolerTarget = ({ name, urls }: TestDatabase): string =>
  `host=${decodeURIComponent(/[?&]host=([^&]+)/.exec(urls.authenticator)![1]!)} dbname=${name}`;

/** Runs PgBouncer with the files of the folder, in front of the database `target` as `tally`. Returns its port. */
export async function runPgBouncer(t: TestScope, target: string, folder: string): Promise<number> {
  const { port, release } = await reservePort('127.0.0.1');
  const file = join(folder, 'pgbouncer.ini');
  const config = readFileSync(file, 'utf8')
    .replaceAll('/etc/pgbouncer', folder)
    .replace('host=db.internal port=5432', target)
    .replace('listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`);
  writeFileSync(file, config);
  // PgBouncer does not run as root, and its account must be able to read the files.
  spawnSync('chmod', ['-R', 'a+rX', folder]);
  const runAsNobody = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  await release();
  const pooler = spawn('pgbouncer', ['--quiet', ...runAsNobody, file], {
    env: { PATH: PROGRAM_PATH },
    stdio: 'ignore',
  });
  const ended = once(pooler, 'exit');
  t.onTestFinished(async () => {
    pooler.kill('SIGKILL');
    await ended;
  });
  await eventually(() => isListening(port));
  return port;
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const client = connect(port, '127.0.0.1', () => resolve(client.destroy() !== undefined));
    client.on('error', () => resolve(false));
  });
