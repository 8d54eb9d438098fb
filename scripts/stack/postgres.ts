import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFeatureFlags } from '../../src/feature-flags/feature-flags.ts';
import { createLogger } from '../../src/http/logger.ts';
import { connectDatabase, type Database, type DatabaseUrls } from '../../src/database/connect.ts';
import { accountFor } from '../../src/database/embedded-server/account.ts';
import { findNative } from '../../src/database/embedded-server/binaries.ts';
import { clusterFolder, createCluster, OWNER, readOwnerPassword } from '../../src/database/embedded-server/cluster.ts';
import { makeRuntimeFolder } from '../../src/database/embedded-server/runtime-folder.ts';
import { migrate } from '../../src/database/migrate.ts';
import { migrateJobs } from '../../src/jobs/migrate-jobs.ts';
import { asOwner, inDatabase } from '../../test/support/cluster.ts';
import { freePort } from '../run/free-port.ts';
import { createPart, type Part } from './part.ts';

export const passwords = { authenticator: 'first', service: 'second', assistant: 'third' };

export interface OwnPostgres {
  part: Part;
  port: number;
  ownerUrl: string;
  urls: DatabaseUrls;
  /** The folder of its data, on a file system of its own where `diskMb` was given and we may mount one. */
  folder: string;
  hasOwnDisk: boolean;
  database: Database;
}

/**
 * A PostgreSQL on a port, with all migrations, the flags and nothing else, or, not `migrated`, an empty database.
 * `diskMb` bounds its disk (root only).
 */
export async function startPostgres(
  stack: AsyncDisposableStack,
  { diskMb, migrated = true }: { diskMb?: number | undefined; migrated?: boolean } = {},
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-stack-'));
  const hasOwnDisk =
    diskMb !== undefined && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'none', folder]).status === 0;
  stack.defer(() => {
    if (hasOwnDisk) spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  chmodSync(folder, 0o755);
  const account = await accountFor(clusterFolder(folder));
  const runtime = await makeRuntimeFolder(await findNative(), account);
  stack.defer(() => runtime.remove());
  await createCluster({ dataDir: folder, native: runtime.native, account, scratch: runtime.path, durable: false });
  const data = clusterFolder(folder);
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: join(runtime.path, 'socket'),
    max_connections: '100',
    // A small disk is filled by data, not by the log of writes.
    max_wal_size: '64MB',
    jit: 'off',
  };
  const part = createPart('PostgreSQL', () => ({
    command: [
      join(runtime.native, 'bin/postgres'),
      ...['-D', data],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    options: { ...account, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } },
    serves: (output) => /ready to accept connections/.test(output),
  }));
  await part.start();
  stack.defer(async () => void (await part.end('SIGQUIT')));
  const password = encodeURIComponent(await readOwnerPassword(folder));
  const base = `postgres://${OWNER}:${password}@127.0.0.1:${port}/postgres`;
  await asOwner(base, 'create database tally');
  const ownerUrl = inDatabase(base, 'tally');
  const url = (login: string, secret: string): string => `postgres://${login}:${secret}@127.0.0.1:${port}/tally`;
  const urls = {
    authenticator: url('authenticator', passwords.authenticator),
    service: url('service_authenticator', passwords.service),
    assistant: url('assistant_authenticator', passwords.assistant),
  };
  if (migrated) await migrate(ownerUrl, { logins: urls, afterwards: migrateJobs });
  const database = connectDatabase(urls);
  stack.defer(() => database.close());
  if (migrated) await createFeatureFlags({ sql: database.service, logger: createLogger('silent') }).seed();
  return { part, port, ownerUrl, urls, folder, hasOwnDisk, database };
}
