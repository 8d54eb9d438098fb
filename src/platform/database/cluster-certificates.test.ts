// @module-tag slow
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chown, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { queryAsOwner } from '../../../test/support/cluster.ts';
import { serverSecrets as secrets } from '../../../test/support/own-server.ts';
import { prepareData } from '../../../test/support/prepared-data.ts';
import { addTlsParameters } from '../../config/database-tls.ts';
import { reservePort } from '../http/reserve-port.ts';
import { createCheckClient } from './disposable-client.ts';
import { startEmbedded } from './embedded.ts';

/* The logins of a coordinator that is set up by docs/how-to/distribute-by-member.md, without Citus. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const MOUNT = '/etc/tally';
let certificates: string;
let settings: Record<string, string>;
let port: number;
let stop: () => Promise<void>;

beforeAll(async () => {
  const page = await readFile(join(root, 'docs/how-to/distribute-by-member.md'), 'utf8');
  const blocks = [...page.matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map((match) => match[1]!);
  const [issue, list] = blocks as [string, string];
  const folder = await mkdtemp(join(tmpdir(), 'tally-cluster-'));
  certificates = join(folder, 'certificates');
  execFileSync('sh', ['-ec', issue.replace(' certificates ', ` ${certificates} `)], { cwd: root, stdio: 'pipe' });

  const dataDir = await mkdtemp(join(tmpdir(), 'tally-coordinator-'));
  await prepareData(dataDir);
  const mounted = join(folder, 'mounted');
  await mkdir(mounted);
  const read = (name: string): Promise<string> => readFile(join(root, 'deploy/citus', name), 'utf8');
  await writeFile(join(mounted, 'pg_ident.conf'), await read('pg_ident.conf'));
  // The embedded server's owner, who creates the account and the database of the page.
  const hba = `local all tally_owner scram-sha-256\n${await read('coordinator.pg_hba.conf')}`;
  await writeFile(join(mounted, 'pg_hba.conf'), hba);
  await cp(join(certificates, 'coordinator.internal'), join(mounted, 'certificate'), { recursive: true });
  // The server runs as the owner of its data, and accepts no key that others may read.
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  for (const file of ['', 'certificate', 'certificate/ca.crt', 'certificate/tls.crt', 'certificate/tls.key'])
    await chown(join(mounted, file), uid, gid);
  await chown(folder, uid, gid);
  const files = [...(await read('postgresql.conf')).matchAll(/^(\w+_file) = '(.*)'$/gm)].map(([, name, path]) => [
    name!,
    path!.replace(MOUNT, mounted),
  ]);
  const reserved = await reservePort('127.0.0.1');
  port = reserved.port;
  await reserved.release();
  const server = await startEmbedded({
    dataDir,
    secrets,
    throwaway: true,
    settings: { listen_addresses: '127.0.0.1', port: String(port), ssl: 'on', ...Object.fromEntries(files) },
  });
  stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  const owner = `${server.ownerUrl}&port=${port}`;
  await queryAsOwner(owner, 'create role postgres superuser login');
  await queryAsOwner(owner, 'create database tally');
  const lines = list.trim().split('\n');
  settings = Object.fromEntries(lines.map((line) => line.trim().split(/=(.*)/s).slice(0, 2) as [string, string]));
});
afterAll(() => stop());

/** Returns who is logged in by the page's `DB_OWNER_URL` with the certificate of this name. */
async function logIn(name: string): Promise<string> {
  const folder = join(certificates, name);
  const url = addTlsParameters(
    settings['DB_OWNER_URL']!.replace('coordinator.internal:5432', `localhost:${port}`).replaceAll(
      `${MOUNT}/certificate`,
      folder,
    ),
    {
      DB_SSLMODE: settings['DB_SSLMODE'] as 'verify-full',
      DB_SSLROOTCERT: settings['DB_SSLROOTCERT']!.replace(`${MOUNT}/certificate`, folder),
    },
  );
  await using client = createCheckClient(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>('select session_user as name');
  return rows[0]!.name;
}

test.for(['coordinator.internal', 'worker-1.internal', 'worker-2.internal', 'owner'])(
  'accepts the certificate of %s',
  async (name) => {
    assert.equal(await logIn(name), 'postgres');
  },
);

test('rejects the certificate of a service', async () => {
  await assert.rejects(logIn('client'), /certificate authentication failed/);
});

test.for(['coordinator', 'worker'])('lets the account of the server copy it when it is a %s', async (server) => {
  const lines = (await readFile(join(root, `deploy/citus/${server}.pg_hba.conf`), 'utf8')).split('\n');
  // A copy with pg_basebackup is a replication connection, which a line for all databases does not include.
  assert.match(
    lines.find((line) => /^(local|host\w*) +replication /.test(line)) ?? '',
    /^local +replication +postgres +peer$/,
  );
});
