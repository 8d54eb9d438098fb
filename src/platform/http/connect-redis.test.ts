import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { issueCertificates } from '../../../test/support/certificates.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { skipWithout } from '../../../test/support/parts.ts';
import { connectRedis } from './connect-redis.ts';
import { reservePort } from './reserve-port.ts';

/** Starts a Redis server that accepts TLS alone, with a certificate of its own authority. */
async function startTlsServer(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'tally-redis-tls-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const { ca, certificate, key } = issueCertificates(folder);
  const { port, release } = await reservePort('127.0.0.1');
  await release();
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', ca];
  const options = ['--bind', '127.0.0.1', '--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no'];
  const server = spawn('redis-server', [...options, ...files, '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
  t.onTestFinished(async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  return { url: `rediss://localhost:${port}`, ca };
}

/** Returns the answer of the server, or the message of the error that ended the connection. */
async function ping(url: string, caFile?: string): Promise<string> {
  const client = connectRedis(url, caFile, { lazyConnect: true, retryStrategy: () => null });
  let message = '';
  client.on('error', (error: Error) => {
    message = error.message;
  });
  try {
    await client.connect();
    return await client.ping();
  } catch (error) {
    return message || (error as Error).message;
  } finally {
    client.disconnect();
  }
}

test('trusts the authority of REDIS_CA_FILE alone when REDIS_URL is rediss://', { tags: ['slow'] }, async (t) => {
  skipWithout(t, 'redis-server');
  const { url, ca } = await startTlsServer(t);

  await eventually(async () => (await ping(url, ca)) === 'PONG');

  assert.match(await ping(url), /self.signed|unable to (get|verify)/i);
});
