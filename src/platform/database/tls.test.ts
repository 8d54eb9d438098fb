import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chmod, chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, afterAll, test } from 'vitest';
import { type Certificates, issueCertificates } from '../../../test/support/certificates.ts';
import { serverSecrets as secrets } from '../../../test/support/own-server.ts';
import { skipWithout } from '../../../test/support/parts.ts';
import { createPoolerFolder, runPgBouncer } from '../../../test/support/pgbouncer.ts';
import { prepareData } from '../../../test/support/prepared-data.ts';
import { addTlsParameters } from '../../config/database-tls.ts';
import { reservePort } from '../http/reserve-port.ts';
import { checkLogins } from './check-logins.ts';
import { connectDatabase } from './connect.ts';
import { readTlsVersion } from './database-identity.ts';
import { createCheckClient } from './disposable-client.ts';
import { startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

/* A real server that accepts only encrypted connections, whose certificate is for localhost. */

let certificates: Certificates;
let port: number;
let stop: () => Promise<void>;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-tls-'));
  await prepareData(dataDir);
  const folder = await mkdtemp(join(tmpdir(), 'tally-certificates-'));
  certificates = issueCertificates(folder);
  await writeFile(
    join(folder, 'hba.conf'),
    'local all all scram-sha-256\nhostssl all all 127.0.0.1/32 scram-sha-256\n',
  );
  // The server runs as the owner of its data, and accepts no key that others may read.
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  for (const file of [folder, certificates.key, certificates.certificate, join(folder, 'hba.conf')])
    await chown(file, uid, gid);
  await chmod(certificates.key, 0o600);
  await chmod(folder, 0o755);
  const reserved = await reservePort('127.0.0.1');
  port = reserved.port;
  await reserved.release();
  const server = await startEmbedded({
    dataDir,
    secrets,
    throwaway: true,
    settings: {
      listen_addresses: '127.0.0.1',
      port: String(port),
      ssl: 'on',
      ssl_cert_file: certificates.certificate,
      ssl_key_file: certificates.key,
      hba_file: join(folder, 'hba.conf'),
    },
  });
  stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  // The port is also part of the socket's name.
  await migrate(`${server.ownerUrl}&port=${port}`, { logins: server.urls });
});
afterAll(() => stop());

type Tls = Parameters<typeof addTlsParameters>[1];

/** Returns the URLs of the logins over TCP with these TLS settings. */
function getUrls(tls: Tls, host = 'localhost') {
  const url = (login: string, password: string) =>
    addTlsParameters(`postgres://${login}:${password}@${host}:${port}/postgres`, tls);
  return {
    authenticator: url('authenticator', secrets.authenticator),
    service: url('service_authenticator', secrets.service),
  };
}

test("tells the TLS version of the service login's connection", async () => {
  const { service } = getUrls({ DB_SSLMODE: 'verify-full', DB_SSLROOTCERT: certificates.ca });
  await using client = createCheckClient(service);
  await client.connect();
  assert.match((await readTlsVersion(client))!, /^TLSv1\.[23]$/);
});

test('connects over TLS when certificate and host name match, or neither is checked', async () => {
  for (const tls of [
    { DB_SSLMODE: 'verify-full', DB_SSLROOTCERT: certificates.ca },
    { DB_SSLMODE: 'require' },
  ] as const) {
    const urls = getUrls(tls);
    assert.match((await checkLogins(urls)) ?? '', /^$|graphile|queue/);
    const database = connectDatabase(urls);
    // The server accepts TCP only with TLS, and a socket has no port.
    assert.deepEqual(await database.service.query('select inet_server_port() as port'), [{ port }]);
    await database.close();
  }
});

test('names setting and remedy when TLS does not fit the server', async () => {
  const verified = { DB_SSLMODE: 'verify-full', DB_SSLROOTCERT: certificates.ca } as const;
  for (const [urls, expected] of [
    [
      getUrls({ DB_SSLMODE: 'verify-full' }),
      /^The setting DB_URL must name a server with a trusted certificate: set DB_SSLROOTCERT/,
    ],
    [getUrls(verified, '127.0.0.1'), /^The setting DB_URL must have the host name of the server's certificate/],
    [
      getUrls({}),
      /^The setting DB_URL must name a server that accepts this connection without TLS, or set DB_SSLMODE=verify-full/,
    ],
  ] as const)
    assert.match((await checkLogins(urls)) ?? 'nothing', expected);
});

test('names DB_SSLMODE when the server has no TLS', async (t) => {
  const server = createServer((socket) => socket.once('data', () => socket.end('N'))).listen(0, '127.0.0.1');
  t.onTestFinished(() => {
    server.close();
  });
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const { port: plainPort } = server.address() as { port: number };
  const url = addTlsParameters(`postgres://a:b@127.0.0.1:${plainPort}/postgres`, { DB_SSLMODE: 'require' });
  assert.match((await checkLogins({ authenticator: url, service: url })) ?? 'nothing', /set DB_SSLMODE=disable/);
});

test('serves through PgBouncer over TLS', async (t) => {
  skipWithout(t, 'pgbouncer');
  const folder = createPoolerFolder(t);
  const shipped = readFileSync(new URL('../../../deploy/pgbouncer.ini', import.meta.url), 'utf8');
  const { authenticator, service } = getUrls({});
  const logins = { authenticator: secrets.authenticator, service_authenticator: secrets.service };
  const users = Object.entries(logins).map(([login, password]) => `"${login}" "${password}"`);
  await writeFile(join(folder, 'userlist.txt'), users.join('\n'));
  await copyFile(certificates.ca, join(folder, 'ca.pem'));
  const check = async (config: string): Promise<string> => {
    await writeFile(join(folder, 'pgbouncer.ini'), config);
    const pooled = await runPgBouncer(t, `host=localhost port=${port} dbname=postgres`, folder);
    const withPooler = (url: string) => url.replace(`localhost:${port}/postgres`, `127.0.0.1:${pooled}/tally`);
    return (await checkLogins({ authenticator: withPooler(authenticator), service: withPooler(service) })) ?? '';
  };
  assert.match(await check(shipped), /^The setting DB_URL must name a pooler .*set server_tls_sslmode of PgBouncer/);
  const encrypted = shipped
    .replace(';server_tls_sslmode', 'server_tls_sslmode')
    .replace(';server_tls_ca', 'server_tls_ca');
  assert.match(await check(encrypted), /^$|graphile|queue/);
});
